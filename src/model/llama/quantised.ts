/** Names of types whose products round activations too, as models describe themselves. */
const QUANTISED = /\b(?:I?Q\d|TQ\d|MXFP\d|NVFP\d)/;

/** Whether a model that describes itself so has quantised weights. */
export function isQuantised({ description }: { readonly description: string }): boolean {
  return QUANTISED.test(description);
}
