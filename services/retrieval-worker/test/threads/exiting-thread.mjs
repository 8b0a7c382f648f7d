export default () => process.exit(3);
