/**
 * Pure. Names the problems of list items by their position: `recipients[1].email` becomes the form field `email-1`, so
 * that the problem is shown beside the right person.
 */
import type { Schema } from '#lib/http/shape.ts'

export const byIndex = <Body>(schema: Schema<Body>): Schema<Body> => ({
  safeParse: (value) => {
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: pathOf(path), message }))
    return { success: false, error: { issues } }
  },
})

const pathOf = (path: readonly PropertyKey[]): readonly PropertyKey[] => {
  const [, index, name] = path
  return typeof index === 'number' && typeof name === 'string' ? [`${name}-${index}`] : path
}
