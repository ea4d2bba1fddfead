/** The request body of the dialog for name, description and space. */
import type { Fields } from '#lib/form.ts'
import type { Described } from './api.ts'

/** The space is sent only if it changed: someone may rename a workflow whose space they can't see. */
export function detailsBody(
  { space_id }: Pick<Described, 'space_id'>,
  { name, description, space_id: chosen }: Fields,
) {
  const wanted = chosen || null
  return { name, description, ...(wanted !== space_id && { space_id: wanted }) }
}
