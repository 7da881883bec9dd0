/** Names that become names of files and folders. */

/** No path, no ending, nothing that a shell or a file system takes for something else. */
export const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
