/** The face of this room: YAML files that people write and programs change, with the place of every fault. */
export { type EditedFile, LINE_WIDTH, YamlEditor } from './editor.ts';
export { describeFault, invalidFile, type PlacedFault, unwrittenFile } from './faults.ts';
export { PLAIN_NAME } from './names.ts';
export { readYaml, type YamlFile } from './read.ts';
