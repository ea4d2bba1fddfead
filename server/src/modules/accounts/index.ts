/** Accounts: who people are and how they prove it. The public interface of the module. */
import './tables.ts'
import type { Factor } from '@chancery/contract/accounts/factors.ts'
import type { Db } from '#kernel/db/database.ts'
import { AppError } from '#kernel/errors.ts'
import type { PrincipalKind } from '#kernel/http/actor.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { createActorCache } from './actor/actor-cache.ts'
import { createAuthenticate, findCurrentActor, type PrincipalSource, withoutLacking } from './actor/authenticate.ts'
import { createCredentialUse, flushEveryMs } from './actor/credential-use.ts'
import { createFindEnded } from './actor/find-ended.ts'
import { createTokens } from './actor/tokens.ts'
import type { AccountsConfig } from './config.ts'
import { type AccountsContext, asPrincipal, changePrincipal, principalTopic } from './context.ts'
import { createFailureTime } from './guard/failure-time.ts'
import { rememberBrowser } from './guard/known-browser.ts'
import { lockedMailJob } from './guard/locked-mail.ts'
import { guardLogin } from './guard/login-guard.ts'
import type { Accounts, Identities, Logins, Sessions, Users } from './interface.ts'
import { createApiKey, requireOwnRights } from './keys/create-api-key.ts'
import { deleteApiKey } from './keys/delete-api-key.ts'
import { renewApiKey } from './keys/renew-api-key.ts'
import { resetMailJob } from './passwords/forgot-password.ts'
import { createPasswords } from './passwords/passwords.ts'
import { endOpenedByPassword } from './passwords/replace-password.ts'
import { changeAddressUnscoped } from './people/change-address.ts'
import { createUser } from './people/create-user.ts'
import { deleteUserUnscoped } from './people/delete-user.ts'
import { linkIdentityUnscoped } from './people/link-identity.ts'
import { setUserStatusUnscoped } from './people/set-user-status.ts'
import { sweepJob } from './people/sweep.ts'
import type { CompanyFounder, FindLoginPolicy } from './ports.ts'
import { proveAddressUnscoped } from './proof/prove-address.ts'
import { listApiKeysAmongUnscoped } from './queries/api-keys.ts'
import { activeUsers } from './queries/held-credentials.ts'
import * as identityQueries from './queries/identities.ts'
import { findOpenChallengeUnscoped } from './queries/login-challenges.ts'
import * as memberQueries from './queries/members.ts'
import * as sessionQueries from './queries/sessions.ts'
import * as userQueries from './queries/users.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { deviceRoutes } from './routes/devices.ts'
import { loginRoutes } from './routes/login.ts'
import { meRoutes } from './routes/me.ts'
import { passwordRoutes } from './routes/passwords.ts'
import { registerRoutes } from './routes/register.ts'
import { endSession, signOut } from './sessions/end-session.ts'
import { openSession } from './sessions/open-session.ts'
import { requireProof } from './sessions/require-proof.ts'
import { answerChallenge } from './sign-in/answer-challenge.ts'
import { answerSignedIn } from './sign-in/answer-signed-in.ts'
import { resendOtp } from './sign-in/resend-otp.ts'
import { askForSecondStep, completeSignIn } from './sign-in/sign-in.ts'

export type { LoadPrincipal } from './actor/authenticate.ts'
export type { FindEnded, HeldCredential } from './actor/find-ended.ts'
export type { AccountsConfig } from './config.ts'
export { asPrincipal, canonicalEmail, principalTopic } from './context.ts'
export type { Account } from './guard/known-browser.ts'
export type { Accounts, Identities, Logins, Sessions, Users } from './interface.ts'
export { greeting } from './people/greeting.ts'
export { requireOpenSignUp } from './people/sign-up.ts'
export type {
  Answer,
  ChallengeOwner,
  CompanyFounder,
  FindLoginPolicy,
  LoginMethod,
  LoginPolicy,
  PasswordAttempt,
  PasswordSource,
  SecondFactors,
  ShownStep,
  TakeoverHandler,
  UserDeletionHandler,
} from './ports.ts'
export { needsFactor, presentSession, presentSignedIn, presentUser } from './present.ts'
export type { AddressProof } from './proof/prove-address.ts'
export { listApiKeysAmongUnscoped } from './queries/api-keys.ts'
export { activeUsers } from './queries/held-credentials.ts'
export { listMembersAmongUnscoped, listOrgAdminsUnscoped } from './queries/members.ts'
export type { SessionRow } from './queries/sessions.ts'
export {
  findUserByEmailUnscoped,
  findUserByIdUnscoped,
  listActiveAmongUnscoped,
  listUsersAmongUnscoped,
  type UserRow,
} from './queries/users.ts'
export { type ExternalLogin, externalLoginOf } from './sessions/external-login.ts'
export type { OpenedSession } from './sessions/open-session.ts'
export { type CallersSession, findSessionOfCall } from './sessions/session-of-call.ts'
export type { FindChallengeOwner } from './sign-in/answer-challenge.ts'
export { lackingFactor } from './sign-in/second-step.ts'
export { ownerOf } from './sign-in/sign-in.ts'
export type { SignInMethod } from './tables.ts'

interface AccountsNeeds {
  kernel: Kernel<AccountsConfig>
  /** The rules of a person's organization for their login. */
  findLoginPolicy: FindLoginPolicy
}

const createContext = ({ kernel, findLoginPolicy }: AccountsNeeds): AccountsContext => {
  const { clock, config, secrets, passwordCost } = kernel
  return {
    ...kernel,
    passwords: createPasswords({ cost: passwordCost, machine: kernel.machine }),
    tokens: createTokens({
      secret: secrets.JWT_SECRET,
      mustExpire: config.JWT_EXPIRES_IN !== null,
      now: clock.now,
    }),
    cache: createActorCache(clock),
    failureTime: createFailureTime(),
    lockedMail: lockedMailJob(kernel),
    loginMethods: [],
    passwordSources: [],
    sessionCompanions: [],
    deletionHandlers: [],
    takeoverHandlers: [],
    secondFactors: undefined,
    findLoginPolicy,
  }
}

const usersOf = (context: AccountsContext): Users => ({
  create: (tx, user) => createUser(context, tx, user),
  joinUnscoped: async (tx, userId, membership) => {
    const user = await userQueries.joinOrganizationUnscoped(tx, userId, membership)
    if (!user) throw new AppError('already_in_organization')
    context.cache.forget(userId)
    await context.signals.send(tx, principalTopic, userId)
    return user
  },
  proveAddressUnscoped: (tx, proven) => proveAddressUnscoped(context, tx, proven),
  findByIdUnscoped: userQueries.findUserByIdUnscoped,
  findByEmailUnscoped: userQueries.findUserByEmailUnscoped,
  listUnscoped: userQueries.listUsersUnscoped,
  listAmongUnscoped: userQueries.listUsersAmongUnscoped,
  listMembersUnscoped: (db, id, filter) =>
    memberQueries.listMembersUnscoped(db, id, { ...filter, enrolled: context.secondFactors?.enrolled }),
  listMemberIdsUnscoped: (db, id, filter) =>
    memberQueries.listMemberIdsUnscoped(db, id, { ...filter, enrolled: context.secondFactors?.enrolled }),
  readListedMembersUnscoped: memberQueries.readListedMembersUnscoped,
  readMembersUnscoped: memberQueries.readMembersUnscoped,
  listMembersAmongUnscoped: memberQueries.listMembersAmongUnscoped,
  countMembersUnscoped: userQueries.countMembersUnscoped,
  lockOrgAdminsUnscoped: memberQueries.lockOrgAdminsUnscoped,
  updateUnscoped: userQueries.updateUserUnscoped,
  changeAddressUnscoped: (by, change) => changeAddressUnscoped(context, by, change),
  setStatusUnscoped: (by, change) => setUserStatusUnscoped(context, by, change),
  deleteUnscoped: (by, request) => deleteUserUnscoped(context, by, request),
})

const identitiesOf = (context: AccountsContext): Identities => ({
  findUserUnscoped: identityQueries.findUserByIdentityUnscoped,
  linkUnscoped: (tx, identity) => linkIdentityUnscoped(context, tx, identity),
  listUnscoped: identityQueries.listIdentitiesUnscoped,
})

const sessionsOf = (context: AccountsContext): Sessions => ({
  open: (tx, opening) => openSession(context, tx, opening),
  end: (actor, from) => signOut(context, actor, from),
  listOwn: (actor) => sessionQueries.listSessions(context.db, actor, context.clock.now()),
  endOwn: (actor, request) => endSession(context, actor, request),
  noteProof: ({ id, credential }, { hasFactor }) =>
    changePrincipal(context, id, async (tx) => {
      await sessionQueries.noteProofUnscoped(tx, credential.id, { at: context.clock.now(), hasFactor })
    }),
  revokeOfUnscoped: sessionQueries.revokeSessionsUnscoped,
  revokeOfMembersUnscoped: sessionQueries.revokeSessionsOfMembersUnscoped,
  revokePasswordSessionsUnscoped: sessionQueries.revokePasswordSessionsUnscoped,
  revokeExternalUnscoped: sessionQueries.revokeExternalSessionsUnscoped,
  listUnscoped: sessionQueries.listSignInsUnscoped,
})

const listFactorKinds = async ({ secondFactors }: AccountsContext, db: Db, ids: readonly string[]) => {
  const kinds = new Map<string, Factor['kind'][]>()
  const rows = ids.length === 0 ? [] : ((await secondFactors?.listKinds(db, ids)) ?? [])
  for (const { principalId, kind } of rows) kinds.set(principalId, [...(kinds.get(principalId) ?? []), kind])
  return kinds
}

const loginsOf = (context: AccountsContext): Logins => ({
  guard: (attempt, principal) => guardLogin(context, attempt, principal),
  complete: (user, completion) => completeSignIn(context, user, completion),
  askForSecondStep: (asked) => askForSecondStep(context, asked),
  answerChallenge: (answer, visit) => answerChallenge(context, answer, visit),
  findChallengedUnscoped: async (challengeId) => {
    const found = await findOpenChallengeUnscoped(context.db, challengeId, context.clock.now())
    if (found?.userId) return { kind: 'user', id: found.userId }
    return found?.adminId ? { kind: 'admin', id: found.adminId } : undefined
  },
  requireProof: (actor) => requireProof(context, actor),
  canHavePasskeys: () => context.secondFactors?.canHavePasskeys ?? false,
  resendCode: (challengeId, findOwner) => resendOtp(context, challengeId, findOwner),
  rememberSecondStep: async (shown, http) => context.secondFactors?.remember(shown, http),
  endOpenedByPasswordUnscoped: (tx, whose, except) => endOpenedByPassword(context, tx, whose, except),
  resetFactorsUnscoped: async (tx, owner) => {
    await context.secondFactors?.reset(tx, owner)
    await endOpenedByPassword(context, tx, owner)
  },
  listFactorKindsUnscoped: (db, ids) => listFactorKinds(context, db, ids),
  answer: (http, completed) => answerSignedIn(context, http, completed),
  findPolicy: (user) => context.findLoginPolicy(user),
  rememberBrowser: (http, account) => rememberBrowser(context, http, { ...account, way: 'signIn' }),
})

export const createAccounts = (needs: AccountsNeeds): Accounts => {
  const { kernel } = needs
  const { clock, db } = kernel
  const context = createContext(needs)
  const { cache, tokens } = context
  const use = createCredentialUse({ db, clock })
  const principals = new Map<PrincipalKind, PrincipalSource>()
  let founder: CompanyFounder | undefined

  principals.set('user', {
    load: async (on, id) => {
      const user = await userQueries.findUserByIdUnscoped(on, id)
      return user && asPrincipal(user)
    },
    active: activeUsers,
  })
  kernel.signals.on(principalTopic, (id) => cache.forget(id))

  const foundCompany: CompanyFounder = (request, from) => {
    if (!founder) throw new Error('no module registers companies')
    return founder(request, from)
  }
  const resetMail = resetMailJob(context)
  const authenticateLacking = createAuthenticate({ db, clock, tokens, cache, use, principals })
  const authenticate = withoutLacking(authenticateLacking)
  const findCurrentActorUnscoped: Accounts['findCurrentActorUnscoped'] = (tx, earlier) =>
    findCurrentActor({ db: tx, clock, principals }, earlier)
  return {
    authenticate,
    authenticateLacking,
    findEnded: createFindEnded({ db, clock, principals }),
    users: usersOf(context),
    identities: identitiesOf(context),
    sessions: sessionsOf(context),
    logins: loginsOf(context),
    passwords: context.passwords,
    findCurrentActorUnscoped,
    requireApiKeyRights: (actor, allowedRoutes) => requireOwnRights(actor, { allowedRoutes, expiresAt: null }),
    createApiKey: (tx, asked) => createApiKey(context, tx, asked),
    renewApiKey: (tx, renewed) => renewApiKey(tx, principals, renewed),
    revokeApiKey: (owner, request) => deleteApiKey(context, owner, request),
    listApiKeysAmongUnscoped,
    changePrincipal: (principalId, change) => changePrincipal(context, principalId, change),
    forgetActors: () => cache.forget(undefined),
    registerPrincipals: (kind, source) => void principals.set(kind, source),
    registerLoginMethod: (method) => void context.loginMethods.push(method),
    registerPasswordSource: (source) => void context.passwordSources.push(source),
    registerSecondFactors: (factors) => {
      context.secondFactors = factors
    },
    registerSessionCompanion: (companion) => void context.sessionCompanions.push(companion),
    registerDeletionHandler: (handle) => void context.deletionHandlers.push(handle),
    registerTakeoverHandler: (handle) => void context.takeoverHandlers.push(handle),
    registerCompanyFounder: (found) => {
      founder = found
    },
    routes: [
      ...registerRoutes(context, foundCompany),
      ...loginRoutes(context),
      ...passwordRoutes(context, resetMail),
      ...meRoutes(context, authenticateLacking),
      ...apiKeyRoutes(context),
      ...deviceRoutes(context, findCurrentActorUnscoped),
    ],
    jobs: [resetMail, context.lockedMail, sweepJob(context)],
    start: (signal) => kernel.tasks.every('accounts.last-use', { everyMs: flushEveryMs, signal }, use.flush),
    stop: use.flush,
  }
}
