/** The package's version. A test holds it against package.json, so that no file has to be read at start-up. */
export const VERSION = '0.1.0';
