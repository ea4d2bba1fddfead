/** A problem with one field of a node's configuration. Pure. */

/** The field's path as in diffs: `config.cases[0].expression`. */
export interface FieldProblem {
  field: string
  message: string
}

export const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`), 'config')
