/** A tree can be made so that choosing among its names takes seconds, and nobody else should wait for that. */

/** Steps that never have to load anything. */
export type Steps<T> = Generator<undefined, T, void>;
