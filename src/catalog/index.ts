/** Public API of this folder: YAML files that people write and programs change, with the place of every fault. */
export { type EditedFile, LINE_WIDTH, YamlEditor } from './editor.ts';
export { describeFault, invalidFile, type PlacedFault, unwrittenFile } from './faults.ts';
export { type FileLocation, NamedFiles, type NamedLocation, oneAtATime, PLAIN_NAME } from './named-files.ts';
export { readYaml, type YamlFile } from './read.ts';
export { formatPath, type ShapeFault, shapeFaults, valueAt } from './shape.ts';
