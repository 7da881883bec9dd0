/** How far a run is: what the pipeline tells, and whoever shows it (a terminal, a service) reads. */
export interface Progress {
  readonly rows: number;
  /** Rows that an earlier process had done: rates are about the others. */
  readonly resumedFrom: number;
  /** Rows that there are to do. */
  readonly totalRows: number;
  readonly failed: number;
  readonly skipped: number;
  /** Tokens decoded so far. */
  readonly tokens: number;
  /** CPU threads that decode, where the model is on this machine. */
  readonly threads?: number;
}
