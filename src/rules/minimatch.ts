/** Isolates minimatch in a module of its own, which the build replaces with the package itself (scripts/bundle.js). */
export { braceExpand, Minimatch } from 'minimatch';
