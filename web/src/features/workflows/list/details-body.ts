/** The request body of the dialog for a workflow's details. */
import type { Fields } from '#lib/form/form.ts'
import type { Described } from './api.ts'

/** The space is sent only if it changed: someone may rename a workflow whose space they can't see. */
export function detailsBody(
  { space_id, error_workflow_id }: Pick<Described, 'space_id' | 'error_workflow_id'>,
  { name, description, space_id: chosen, error_workflow_id: chosenError }: Fields,
) {
  const wanted = chosen || null
  const onError = chosenError || null
  return {
    name,
    description,
    ...(wanted !== space_id && { space_id: wanted }),
    ...(onError !== error_workflow_id && { error_workflow_id: onError }),
  }
}
