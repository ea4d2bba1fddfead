/** What is wrong with one field of a node's configuration. Pure. */

/** By the path of the field, in the words of the diff: `config.cases[0].expression`. */
export interface FieldProblem {
  field: string
  message: string
}

export const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`), 'config')
