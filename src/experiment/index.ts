/** The face of this room: experiments as data. */
export { type PanelFilePart, readPanelFile } from './panel-file.ts';
