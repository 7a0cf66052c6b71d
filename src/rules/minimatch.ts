/** minimatch in a module of its own: the build puts the package itself in its place (scripts/bundle.js). */
export { braceExpand, Minimatch } from 'minimatch';
