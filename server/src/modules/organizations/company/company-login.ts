/** An organization can give up passwords only where its people have another way in. */
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrganizationsContext } from '../context.ts'

export const requireCompanyLogin = async (
  { isSsoAvailable, hasOwnSignIn }: Pick<OrganizationsContext, 'isSsoAvailable' | 'hasOwnSignIn'>,
  tx: Db,
  organizationId: string,
): Promise<void> => {
  if (!isSsoAvailable && !(await hasOwnSignIn(tx, organizationId))) throw new AppError('sso_not_configured')
}
