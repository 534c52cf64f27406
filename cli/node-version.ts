/**
 * The first import of every entry: ends with an explanation if the machine's own Node is too old.
 */

const NODE_MAJOR_MIN = 26;

if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN) {
  process.stderr.write(
    `Node ${process.version} is too old: ${NODE_MAJOR_MIN} is needed. It is installed with the ` +
      'dependencies, so use npm start (or npm run NAME), which takes that one.\n',
  );
  process.exit(1);
}
