/** A render process that never comes up. */
process.exit(3);
