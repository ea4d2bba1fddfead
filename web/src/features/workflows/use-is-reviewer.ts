/** Whether the viewer may publish: admins of an organization; without an organization, the owner. */
import { usePerson } from '#lib/queries/viewer.ts'

export const useIsReviewer = (): boolean => {
  const { role, organizationId } = usePerson()
  return organizationId === null || role === 'ROLE_ORG_ADMIN'
}
