/** Saves, changes or removes a company's directory. The bind password goes in and never comes out. */
import type { LdapSettings, LdapSettingsBody } from '@chancery/contract/organizations/ldap.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { bindPasswordFor } from './bind-password.ts'
import { checkSettings } from './check-settings.ts'
import type { LdapContext } from './context.ts'
import { sealBindPassword } from './directory.ts'
import { presentDirectory } from './present.ts'
import { deleteDirectory, lockDirectory, upsertDirectoryUnscoped } from './queries.ts'

interface Request {
  settings: LdapSettingsBody
  from: Origin
}

export const saveDirectory = (context: LdapContext, actor: OrgActor, { settings, from }: Request) => {
  const { db, sealer, clock, audit, config, organizations } = context
  checkSettings(settings, { allowsPlaintext: config.LDAP_ALLOW_PLAINTEXT })
  const { organizationId } = actor
  return db.transaction().execute(async (tx): Promise<LdapSettings> => {
    await organizations.requireWritable(tx, actor)
    const password = bindPasswordFor(sealer, settings, await lockDirectory(tx, actor))
    const { bindPassword: _given, attributes, groupRoles, ...plain } = settings
    const row = await upsertDirectoryUnscoped(tx, {
      organizationId,
      ...plain,
      bindPassword: password === '' ? null : sealBindPassword(sealer, organizationId, password),
      attributes: JSON.stringify(attributes),
      groupRoles: JSON.stringify(groupRoles),
      updatedAt: clock.now(),
    })
    const { url, enabled, autoProvision } = plain
    const target = { kind: 'organization', id: organizationId }
    await audit.record(tx, { action: 'ldap.save', by: actor, from, target, detail: { url, enabled, autoProvision } })
    return presentDirectory(row)
  })
}

/** Its people keep their accounts; those without a password here get one by "forgot password". */
export const removeDirectory = (context: LdapContext, actor: OrgActor, from: Origin): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    await context.organizations.requireWritable(tx, actor)
    if (!(await deleteDirectory(tx, actor))) throw new AppError('ldap_not_configured')
    const target = { kind: 'organization', id: actor.organizationId }
    await context.audit.record(tx, { action: 'ldap.delete', by: actor, from, target })
  })
