/** The files and collections that a question is asked of. Made only where access was checked (`retrieval/resolve-scope.ts`). */
export interface Scope {
  collectionIds: readonly string[]
  fileIds: readonly string[]
}
