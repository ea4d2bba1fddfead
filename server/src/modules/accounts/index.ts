/** Accounts: who people are and how they prove it. The public face of the module. */
import './tables.ts'
import type { Authenticate, PrincipalKind } from '#kernel/http/actor.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import { createActorCache } from './actor-cache.ts'
import { createAuthenticate, type LoadPrincipal } from './authenticate.ts'
import { type AccountsContext, asPrincipal, type LoginMethod, principalTopic } from './context.ts'
import { createCredentialUse, flushEveryMs } from './credential-use.ts'
import { resetMailJob } from './forgot-password.ts'
import { createPasswords } from './passwords.ts'
import type { CompanyFounder, FindLoginPolicy, PasswordSource, SessionCompanion } from './ports.ts'
import { findUserByIdUnscoped } from './queries/users.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { loginRoutes } from './routes/login.ts'
import { meRoutes } from './routes/me.ts'
import { passwordRoutes } from './routes/passwords.ts'
import { registerRoutes } from './routes/register.ts'
import { sweepJob } from './sweep.ts'
import { createTokens } from './tokens.ts'

export {
  type AccountsContext,
  asPrincipal,
  canonicalEmail,
  changePrincipal,
  type LoginMethod,
  principalTopic,
} from './context.ts'
export { createUser } from './create-user.ts'
export { deviceName } from './device-name.ts'
export { signOut } from './end-session.ts'
export { guardLogin } from './login-guard.ts'
export { type ExternalLogin, type OpenedSession, openSession } from './open-session.ts'
export type {
  CompanyFounder,
  FindLoginPolicy,
  LoginPolicy,
  PasswordAttempt,
  PasswordSource,
  SessionCompanion,
} from './ports.ts'
export { presentSignedIn, presentUser } from './present.ts'
export { listApiKeysAmongUnscoped } from './queries/api-keys.ts'
export { findUserByIdentityUnscoped, linkIdentity, listIdentitiesUnscoped } from './queries/identities.ts'
export {
  listSignInsUnscoped,
  revokeExternalSessionsUnscoped,
  revokeSessionsOf,
  revokeSessionsOfMembersUnscoped,
  type SessionRow,
} from './queries/sessions.ts'
export {
  countMembers,
  findUserByEmailUnscoped,
  findUserByIdUnscoped,
  listMembersAmongUnscoped,
  listMembersUnscoped,
  listUsersAmongUnscoped,
  listUsersUnscoped,
  lockOrgAdmins,
  type UserRow,
  updateUserUnscoped,
} from './queries/users.ts'
export { setUserStatusUnscoped } from './set-user-status.ts'
export { completeSignIn } from './sign-in.ts'

export interface Accounts extends Module {
  context: AccountsContext
  /** The one door from a token to an actor, for HTTP and sockets alike. */
  authenticate: Authenticate
  /** Port: another table of principals (the platform's operators). */
  registerPrincipals(kind: PrincipalKind, load: LoadPrincipal): void
  /** Port: another way to sign in. */
  registerLoginMethod(method: LoginMethod): void
  /** Port: somebody else who checks passwords. */
  registerPasswordSource(source: PasswordSource): void
  /** Port: what ends together with a login. */
  registerSessionCompanion(companion: SessionCompanion): void
  /** Port: what a person's organization says about their login. */
  registerLoginPolicy(find: FindLoginPolicy): void
  /** Port: what registering a company does. */
  registerCompanyFounder(found: CompanyFounder): void
}

export const createAccounts = ({ kernel }: { kernel: Kernel }): Accounts => {
  const { clock, config, db, secrets, passwordCost } = kernel
  const passwords = createPasswords({ cost: passwordCost })
  const tokens = createTokens({
    secret: secrets.JWT_SECRET,
    mustExpire: config.JWT_EXPIRES_IN !== null,
    now: clock.now,
  })
  const cache = createActorCache(clock)
  const use = createCredentialUse({ db, clock })
  const loaders = new Map<PrincipalKind, LoadPrincipal>()
  const context: AccountsContext = {
    ...{ ...kernel, passwords, tokens, cache, loginMethods: [], passwordSources: [], sessionCompanions: [] },
    findLoginPolicy: async () => ({ refusesPassword: false, requiresOtp: false, isSuspended: false }),
  }
  let founder: CompanyFounder | undefined

  loaders.set('user', async (on, id) => {
    const user = await findUserByIdUnscoped(on, id)
    return user && asPrincipal(user)
  })
  kernel.signals.on(principalTopic, (id) => cache.forget(id))

  const foundCompany: CompanyFounder = (request, from) => {
    if (!founder) throw new Error('no module registers companies')
    return founder(request, from)
  }
  const resetMail = resetMailJob(context)
  return {
    context,
    authenticate: createAuthenticate({ db, clock, tokens, cache, use, loaders }),
    registerPrincipals: (kind, load) => void loaders.set(kind, load),
    registerLoginMethod: (method) => void context.loginMethods.push(method),
    registerPasswordSource: (source) => void context.passwordSources.push(source),
    registerSessionCompanion: (companion) => void context.sessionCompanions.push(companion),
    registerLoginPolicy: (find) => {
      context.findLoginPolicy = find
    },
    registerCompanyFounder: (found) => {
      founder = found
    },
    routes: [
      ...registerRoutes(context, foundCompany),
      ...loginRoutes(context),
      ...passwordRoutes(context, resetMail),
      ...meRoutes(context),
      ...apiKeyRoutes(context),
    ],
    jobs: [resetMail, sweepJob(context)],
    start: (signal) => kernel.tasks.every('accounts.last-use', { everyMs: flushEveryMs, signal }, use.flush),
    stop: use.flush,
  }
}
