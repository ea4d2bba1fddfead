/** Ports that modules above fill or listen to. They are stand-ins here; the real ones have tests of their own. */
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '#config'
import { createKernel } from '#kernel/create-kernel.ts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { systemIds } from '#kernel/ids.ts'
import { createLog } from '#kernel/log.ts'
import { createAccounts } from '#modules/accounts/index.ts'
import { testApp } from '#test/harness/app.ts'
import { testSecrets } from '#test/harness/secrets.ts'
import { changeSettings } from './company/change-settings.ts'
import { foundCompany } from './company/found-company.ts'
import { createFindLoginPolicy } from './company/login-policy.ts'
import { createContext } from './context.ts'
import { inviteMember } from './invitations/invite-member.ts'
import { resendInvitation } from './invitations/resend-invitation.ts'
import { addMember } from './members/add-member.ts'
import { changeMemberRole } from './members/change-member-role.ts'
import { setMemberStatus, setStatusUnscoped } from './members/set-member-status.ts'
import { readUsage } from './plan/usage.ts'
import type { OrganizationEvent } from './ports.ts'
import { deleteUnit } from './units/delete-unit.ts'
import { createUnit, updateUnit } from './units/save-unit.ts'

const app = await testApp()
const { kernel, stop } = await createKernel({
  config: readConfig({ LOG_LEVEL: 'silent' }),
  secrets: testSecrets,
  databaseUrl: app.databaseUrl,
  clock: app.clock,
  ids: systemIds,
  passwordCost: 4,
  migrationsDir: fileURLToPath(new URL('../../../migrations', import.meta.url)),
  log: createLog('silent'),
})
afterAll(() => stop(async () => undefined))

const accounts = createAccounts({ kernel, findLoginPolicy: createFindLoginPolicy(kernel) })
const context = createContext({ kernel, accounts })
const events: OrganizationEvent[] = []
context.listeners.push(async (_tx, event) => void events.push(event))

let answer: () => Promise<{ mailSent: boolean }>
const asked: string[] = []
context.provisioner = {
  invite: ({ email, role }) => {
    asked.push(`invite ${email} ${role}`)
    return answer()
  },
  resend: ({ email }) => {
    asked.push(`resend ${email}`)
    return answer()
  },
}

const from = { ip: '10.0.0.1', userAgent: null, requestId: 'test' }
const newAddress = () => `sso.${app.unknownId()}@example.test`

/** An administrator of a company that signs in elsewhere, as the gate would hand them over. */
const ssoBoss = async () => {
  const boss = await app.user({ org: `org ${app.unknownId()}` })
  await app.db.updateTable('organizations').set({ authProvider: 'SSO' }).where('id', '=', boss.organizationId).execute()
  return { boss, actor: (await accounts.authenticate(boss.token)) as OrgActor }
}
const invite = (actor: OrgActor, email: string) =>
  inviteMember(context, actor, { request: { email, role: 'ROLE_ORG_ADMIN' }, from })
const resend = (actor: OrgActor, invitationId: string) => resendInvitation(context, actor, { invitationId, from })

describe('inviting into a company that signs in elsewhere', () => {
  it('creates the person there, sends no letter of ours, and keeps what they were invited as', async () => {
    const { boss, actor } = await ssoBoss()
    const email = newAddress()
    answer = async () => ({ mailSent: true })
    const invitation = await invite(actor, email)
    expect(invitation).toMatchObject({ email, mailSent: true, tokenHash: null })
    expect(asked.at(-1)).toBe(`invite ${email} ROLE_ORG_ADMIN`)
    expect(app.lettersTo(email)).toEqual([])
    expect((await boss.get('/api/org/team')).body.invitations).toMatchObject([{ email, mailSent: true }])

    const { organizationId } = actor
    const newcomer = { organizationId, email, name: 'Sam Single' }
    const user = await kernel.db.transaction().execute((tx) => addMember(context, tx, newcomer))
    expect(user).toMatchObject({ email, role: 'ROLE_ORG_ADMIN', passwordHash: null, organizationId })
    expect(events.at(-1)).toEqual({ type: 'member_added', organizationId, userId: user.id })
    expect((await boss.get('/api/org/team')).body.invitations).toEqual([])
  })

  it('succeeds in part when only the mail fails, and is then completed by sending again', async () => {
    const { boss, actor } = await ssoBoss()
    const email = newAddress()
    answer = async () => ({ mailSent: false })
    const { id } = await invite(actor, email)
    expect((await boss.get('/api/org/team')).body.invitations).toMatchObject([{ id, email, mailSent: false }])
    answer = async () => ({ mailSent: true })
    expect(await resend(actor, id)).toMatchObject({ mailSent: true })
    expect(asked.at(-1)).toBe(`invite ${email} ROLE_ORG_ADMIN`)
    await resend(actor, id)
    expect(asked.at(-1)).toBe(`resend ${email}`)
    expect((await boss.get('/api/org/team')).body.invitations).toMatchObject([{ id, mailSent: true }])
  })

  it('leaves nothing behind when the other side fails, and can be tried again', async () => {
    const { boss, actor } = await ssoBoss()
    const email = newAddress()
    answer = () => Promise.reject(new AppError('idp_unavailable'))
    await expect(invite(actor, email)).rejects.toMatchObject({ code: 'idp_unavailable' })
    expect((await boss.get('/api/org/team')).body.invitations).toEqual([])
    answer = async () => ({ mailSent: true })
    expect(await invite(actor, email)).toMatchObject({ mailSent: true })
  })

  it('respects the plan: a person without an invitation needs a free seat', async () => {
    const { actor } = await ssoBoss()
    const { organizationId } = actor
    answer = async () => ({ mailSent: true })
    const invited = newAddress()
    await invite(actor, invited)
    await app.db.updateTable('organizations').set({ maxMembers: 2 }).where('id', '=', organizationId).execute()
    const add = (email: string) =>
      kernel.db.transaction().execute((tx) => addMember(context, tx, { organizationId, email, name: 'X' }))
    await expect(add(newAddress())).rejects.toMatchObject({ code: 'plan_limit_reached' })
    expect(await add(invited)).toMatchObject({ email: invited })
  })
})

describe('a listener', () => {
  it('is notified of every change, by any actor', async () => {
    const { actor } = await ssoBoss()
    const { organizationId } = actor
    const { id: userId } = await kernel.db
      .transaction()
      .execute((tx) => addMember(context, tx, { organizationId, email: newAddress(), name: 'Mia' }))
    events.length = 0
    await changeMemberRole(context, actor, { userId, role: 'ROLE_ORG_ADMIN', from })
    await setMemberStatus(context, actor, { userId, status: 'DEACTIVATED', from })
    await setMemberStatus(context, actor, { userId, status: 'ACTIVE', from })
    await setMemberStatus(context, actor, { userId, status: 'ACTIVE', from })
    await setStatusUnscoped(context, 'system', { userId, status: 'DEACTIVATED' })
    await setStatusUnscoped(context, 'system', { userId, status: 'ACTIVE' })
    await changeSettings(context, actor, { patch: { name: 'Renamed' }, from })
    await changeSettings(context, actor, { patch: { loginOtp: true }, from })
    const { id: unitId } = await createUnit(context, actor, { kind: 'group', name: 'G', from })
    await updateUnit(context, actor, { id: unitId, kind: 'group', decide: () => ({ memberIds: [userId] }), from })
    await deleteUnit(context, actor, { id: unitId, kind: 'group', from })
    const department = await createUnit(context, actor, { kind: 'department', name: 'D', from })
    expect(events).toEqual([
      { type: 'member_role_changed', organizationId, userId },
      { type: 'member_deactivated', organizationId, userId },
      { type: 'member_reactivated', organizationId, userId },
      { type: 'member_deactivated', organizationId, userId },
      { type: 'member_reactivated', organizationId, userId },
      { type: 'organization_renamed', organizationId },
      { type: 'group_saved', organizationId, unitId },
      { type: 'group_saved', organizationId, unitId },
      { type: 'group_deleted', organizationId, unitId },
      { type: 'department_saved', organizationId, unitId: department.id },
    ])
  })

  it('is part of the change: when it fails, nothing has happened', async () => {
    const failing = createContext({ kernel, accounts })
    failing.listeners.push(() => Promise.reject(new Error('no')))
    const request = { companyName: 'Ghost', name: 'G', email: newAddress(), password: 'a perfectly fine passphrase' }
    await expect(foundCompany(failing, request, from)).rejects.toThrow('no')
    const rows = await app.db.selectFrom('users').select('id').where('email', '=', request.email).execute()
    expect(rows).toEqual([])
  })
})

describe('usage', () => {
  it('is added up over everybody who counts', async () => {
    const { actor } = await ssoBoss()
    context.usageSources.push(
      async () => ({ documentsThisMonth: 2, storageBytes: 10 }),
      async () => ({ storageBytes: 5 }),
    )
    expect(await readUsage(context, kernel.db, actor.organizationId)).toEqual({
      memberCount: 1,
      usage: { members: 1, documentsThisMonth: 2, storageBytes: 15 },
    })
  })
})
