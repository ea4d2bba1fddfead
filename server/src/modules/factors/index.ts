/** Second factors: authenticator apps, passkeys, recovery codes, remembered browsers. The public interface of the module. */
import './tables.ts'
import type { PasskeyAnswer } from '@chancery/contract/accounts/factors.ts'
import * as adminEndpoints from '@chancery/contract/endpoints/factors/admins.ts'
import * as endpoints from '@chancery/contract/endpoints/factors/people.ts'
import { z } from 'zod'
import type { Origin } from '#kernel/audit/audit.ts'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import { type Accounts, ownerOf } from '#modules/accounts/index.ts'
import { setupMs } from './add-factor.ts'
import { checkAnswer, listSteps } from './check-answer.ts'
import type { FactorsContext, OwnerKind } from './context.ts'
import { mailChange } from './factor-mail.ts'
import { canHavePasskeys } from './passkeys/relying-party.ts'
import {
  deleteBrowsersUnscoped,
  deleteExpiredUnscoped,
  deleteUnconfirmedBeforeUnscoped,
  forgetUnscoped,
  listKindsUnscoped,
} from './queries.ts'
import { findRemembered, rememberBrowser } from './remembered-browsers.ts'
import { factorRoutes } from './routes/factor-routes.ts'
import { signInRoute } from './routes/sign-in.ts'
import { findByPasskey } from './sign-in-by-passkey.ts'

export type { OwnerKind } from './context.ts'

export interface Factors extends Module {
  /** Port: who platform admins are, and what is asked of them. */
  registerAdmins(admins: OwnerKind): void
  /** The platform admin whose passkey it is. Throws `invalid_passkey`. */
  findAdminByPasskey(request: { response: PasskeyAnswer; from: Origin }): Promise<string>
}

export const createFactors = ({ kernel, accounts }: { kernel: Kernel; accounts: Accounts }): Factors => {
  const context: FactorsContext = { ...kernel, accounts, owners: { user: people(accounts), admin: nobody } }
  accounts.registerSecondFactors({
    canHavePasskeys: canHavePasskeys(kernel.externalUrl),
    listSteps,
    check: (tx, owner, { challengeId, ...answer }) =>
      checkAnswer(context, tx, owner, { ...answer, purpose: `challenge ${challengeId}` }),
    findRemembered: (db, owner, cookies) => findRemembered(context, db, owner, cookies),
    remember: (shown, http) => rememberBrowser(context, shown, http),
    forgetBrowsers: async (tx, id) => void (await deleteBrowsersUnscoped(tx, { id })),
    listKinds: listKindsUnscoped,
    enrolled: `exists (select from factors where factors.principal_id = users.id and factors.confirmed_at is not null)`,
    reset: async (tx, owner) => {
      await forgetUnscoped(tx, owner)
      await mailChange(context, tx, { to: owner.email, told: 'reset' })
    },
  })
  accounts.registerDeletionHandler((tx, { user }) => forgetUnscoped(tx, user))
  accounts.registerTakeoverHandler((tx, id) => forgetUnscoped(tx, { id }))
  return {
    registerAdmins: (admins) => {
      context.owners.admin = admins
    },
    findAdminByPasskey: (request) => findByPasskey(context, { ...request, kind: 'admin' }),
    routes: [
      ...factorRoutes(context, { at: endpoints, kind: 'user', access: 'user' }),
      signInRoute(context),
      ...factorRoutes(context, { at: adminEndpoints, kind: 'admin', access: 'platformOwner' }),
    ],
    jobs: [sweepJob(context)],
  }
}

const people = ({ users, logins }: Accounts): OwnerKind => ({
  find: async (db, id) => {
    const user = await users.findByIdUnscoped(db, id)
    return user?.status === 'ACTIVE' ? ownerOf(user) : undefined
  },
  findPolicy: async (actor) => (await logins.findPolicy(actor)).factors,
  area: 'account',
})

const nobody: OwnerKind = { find: async () => undefined, findPolicy: async () => 'none', area: 'platform' }

const sweepJob = ({ clock, db }: Kernel): JobDefinition<Record<string, never>> =>
  defineJob({
    name: 'factors.sweep',
    data: z.strictObject({}),
    timetable: { cron: '37 3 * * *', data: {} },
    handle: async () => {
      await deleteExpiredUnscoped(db, clock.now())
      await deleteUnconfirmedBeforeUnscoped(db, new Date(clock.now().getTime() - setupMs))
    },
  })
