/** What participants are sliced by. */
export { type Attribute, type AttributeTable, hasGroups, hasOrder } from './attributes.ts';
export { type AttributeChoice, chooseAttributes } from './choose.ts';
export { DEFAULT_ATTRIBUTES, loadAttributes } from './load.ts';
export { attributeValues, cellReader } from './values.ts';
