export interface TableOptions {
  readonly level?: number | undefined;
}
export type OwnTables = null;
export async function writeOwnTables(..._all: unknown[]): Promise<null> {
  return null;
}
