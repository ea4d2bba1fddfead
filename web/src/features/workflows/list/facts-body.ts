/** What the dialog of a workflow's name, description and space sends. */
import type { Fields } from '#lib/form.ts'
import type { Described } from './api.ts'

/** The space only where it changes: one may rename a workflow whose space one does not see. */
export function factsBody({ space_id }: Pick<Described, 'space_id'>, { name, description, space_id: chosen }: Fields) {
  const wanted = chosen || null
  return { name, description, ...(wanted !== space_id && { space_id: wanted }) }
}
