/** What a value from outside must look like, as far as that matters to the client and to forms. */

/** The part of a schema that is needed here. */
export interface Schema<T> {
  safeParse: (value: unknown) => { success: true; data: T } | { success: false; error: { issues: readonly Issue[] } }
}

interface Issue {
  path: readonly PropertyKey[]
  message: string
}

/** A schema, or a function that loads one: pages before sign-in load theirs with the first call. */
export type Shape<T> = Schema<T> | (() => Promise<Schema<T>>)

export const schemaOf = <T>(shape: Shape<T>): Schema<T> | Promise<Schema<T>> =>
  typeof shape === 'function' ? shape() : shape
