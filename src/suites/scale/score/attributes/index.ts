/** What participants are sliced by. */
export { type Attribute, type AttributeTable, hasGroups, hasOrder } from './attributes.ts';
export { type AttributeChoice, chooseAttributes } from './choose.ts';
export { DEFAULT_ATTRIBUTES, loadAttributes, OWN_ATTRIBUTES } from './load.ts';
export { type AttributeValue, attributeValues, cellReader } from './values.ts';
