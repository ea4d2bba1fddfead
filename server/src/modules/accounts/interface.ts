/**
 * The interface of accounts for the floors above, with the ports they fill. Methods that take no actor end in
 * `Unscoped`: their caller has checked that the result may be seen or changed.
 */
import type { AccountStatus, OtpRequired, SignedIn } from '@chancery/contract/accounts/accounts.ts'
import type { Factor, SecondStep } from '@chancery/contract/accounts/factors.ts'
import type { Origin } from '#kernel/audit/audit.ts'
import type { Db } from '#kernel/db/database.ts'
import type { Page } from '#kernel/db/paging.ts'
import type { Actor, Authenticate, PrincipalKind } from '#kernel/http/actor.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { Module } from '#kernel/kernel.ts'
import type { EarlierActor, PrincipalSource } from './actor/authenticate.ts'
import type { FindEnded } from './actor/find-ended.ts'
import type { Account, Mailed } from './guard/known-browser.ts'
import type { Attempt, Guarded, Whose } from './guard/login-guard.ts'
import type { Passwords } from './passwords/passwords.ts'
import type { AddressChange } from './people/change-address.ts'
import type { NewUser } from './people/create-user.ts'
import type { UserDeletionRequest } from './people/delete-user.ts'
import type { IdentityKey } from './people/link-identity.ts'
import type {
  ChallengeOwner,
  CompanyFounder,
  FindLoginPolicy,
  LoginMethod,
  PasswordSource,
  SecondFactors,
  SessionCompanion,
  ShownStep,
  TakeoverHandler,
  UserDeletionHandler,
} from './ports.ts'
import type { ProvenAddress } from './proof/prove-address.ts'
import type { MemberFilter } from './queries/members.ts'
import type { SessionRow } from './queries/sessions.ts'
import type { UserRow } from './queries/users.ts'
import type { ExternalLogin } from './sessions/external-login.ts'
import type { OpenedSession, Opening } from './sessions/open-session.ts'
import type { ChallengeAnswer, ChallengeVisit, FindChallengeOwner } from './sign-in/answer-challenge.ts'
import type { SecondStepQuestion } from './sign-in/sign-in.ts'
import type { OtpSent } from './sign-in/start-challenge.ts'
import type { SignInMethod } from './tables.ts'

type Found<Row> = Promise<{ items: Row[]; total: number }>

export interface Users {
  /** Throws `email_taken`; the unique index decides when two requests race. */
  create(tx: Db, user: NewUser): Promise<UserRow>
  /** Puts a person without an organization into one; it proves nothing about their address. Throws `already_in_organization`. */
  joinUnscoped(tx: Db, userId: string, membership: { organizationId: string; role: UserRow['role'] }): Promise<UserRow>
  /** Ends what was opened before the proof. False when it proves nothing. */
  proveAddressUnscoped(tx: Db, proven: ProvenAddress): Promise<boolean>
  findByIdUnscoped(db: Db, id: string): Promise<UserRow | undefined>
  findByEmailUnscoped(db: Db, email: string): Promise<UserRow | undefined>
  /** Newest first, across all organizations: for the platform console only. */
  listUnscoped(db: Db, filter: Page & { search?: string | undefined }): Found<UserRow>
  /** Names and organizations of these people. */
  listAmongUnscoped(
    db: Db,
    ids: readonly string[],
  ): Promise<{ id: string; name: string; organizationId: string | null }[]>
  /** Members of one organization who match, by name unless sorted. */
  listMembersUnscoped(db: Db, organizationId: string, filter: MemberFilter & { page: Page }): Found<UserRow>
  /** All who match, in the same order. */
  listMemberIdsUnscoped(db: Db, organizationId: string, filter: MemberFilter): Promise<string[]>
  /** Those of a list, in portions and in its order. */
  readListedMembersUnscoped(
    db: Db,
    organizationId: string,
    listed: { ids: readonly string[]; sort: MemberFilter['sort'] },
  ): AsyncIterable<UserRow[]>
  /** Everybody, whatever their status, in portions. */
  readMembersUnscoped(db: Db, organizationId: string): AsyncIterable<UserRow[]>
  /** Those of the ids who are members. */
  listMembersAmongUnscoped(db: Db, organizationId: string, ids: readonly string[]): Promise<{ id: string }[]>
  /** Active members by organization; those without any are absent. */
  countMembersUnscoped(db: Db, organizationIds: readonly string[]): Promise<Map<string, number>>
  /** Locks the active administrators of an organization until the transaction ends. */
  lockOrgAdminsUnscoped(db: Db, organizationId: string): Promise<{ id: string }[]>
  /** Call it inside `changePrincipal`, so that no node keeps what it cached. */
  updateUnscoped(
    db: Db,
    id: string,
    change: Partial<Pick<UserRow, 'name' | 'role' | 'email'>>,
  ): Promise<UserRow | undefined>
  /** For platform admins. Throws `email_taken`. */
  changeAddressUnscoped(by: Actor, change: AddressChange): Promise<UserRow>
  /** A deactivation or a ban ends all sessions. Throws `user_not_found`. */
  setStatusUnscoped(by: Actor | 'system', change: StatusChange): Promise<UserRow>
  /** Permanently, with everything they own. Throws `user_not_found`, `transfer_refused`. */
  deleteUnscoped(by: Actor | 'system', request: UserDeletionRequest): Promise<void>
}

export interface StatusChange {
  userId: string
  status: AccountStatus
  /** Whose decision it is: an organization's deactivation, or the platform's ban. */
  side: 'organization' | 'platform'
  from?: Origin
  /** In the same transaction, before anything is written: for a last check under a lock. */
  beforeChange?(tx: Db): Promise<void>
}

/** Identities of people at other logins. */
export interface Identities {
  findUserUnscoped(db: Db, identity: IdentityKey): Promise<UserRow | undefined>
  /** False when the account is another subject's there, or the subject another account's: then refuse. */
  linkUnscoped(tx: Db, identity: IdentityKey & { userId: string }): Promise<boolean>
  listUnscoped(
    db: Db,
    issuer: string,
    userIds: readonly string[],
  ): Promise<(IdentityKey & { userId: string; createdAt: Date })[]>
}

export interface Sessions {
  /** Part of the caller's transaction: when that rolls back, the token names no session. */
  open(tx: Db, opening: Opening): Promise<OpenedSession>
  /** Signs the caller out, with everything that other modules keep beside the session. */
  end(actor: Actor, from: Origin): Promise<void>
  /** The caller's own, the last used first. */
  listOwn(actor: Actor): Promise<SessionRow[]>
  /** Throws `session_not_found` for a session that is not the caller's. */
  endOwn(actor: Actor, request: { sessionId: string; from: Origin }): Promise<void>
  /** The person has proved in this session who they are; `hasFactor`: with what their organization asks for. */
  noteProof(actor: Actor, proof: { hasFactor: boolean }): Promise<void>
  /** Ends every session of a principal, except for one if given. */
  revokeOfUnscoped(db: Db, principalId: string, options: { at: Date; except?: string | undefined }): Promise<unknown>
  /** Ends every session of everybody in an organization. */
  revokeOfMembersUnscoped(db: Db, organizationId: string, at: Date): Promise<unknown>
  /** Ends the sessions of an organization's people that began with a password here, except for one if given. */
  revokePasswordSessionsUnscoped(
    db: Db,
    organizationId: string,
    options: { at: Date; except?: string | undefined },
  ): Promise<unknown>
  /** Ends the sessions that came from a session elsewhere; without its id, all that the person has from there. */
  revokeExternalUnscoped(
    db: Db,
    external: { issuer: string; sessionId?: string | undefined; userId?: string | undefined },
    at: Date,
  ): Promise<{ principalId: string }[]>
  /** The sign-in history of a principal, newest first. */
  listUnscoped(db: Db, principalId: string, page: Page): Found<SessionRow>
}

export interface Logins {
  /** Call before the password is checked; `principal` is whose it would be, if anybody's. */
  guard(attempt: Attempt, principal: Whose | undefined): Promise<Guarded>
  /** The person has proved who they are, here or elsewhere. Throws `invalid_credentials` for a closed account. */
  complete(
    user: UserRow,
    completion: { from: Origin; method: SignInMethod; external?: ExternalLogin },
  ): Promise<{ user: UserRow; session: OpenedSession }>
  /** After the right password: the second step, or how the sign-in is finished without one. */
  askForSecondStep(asked: SecondStepQuestion): Promise<OtpRequired | 'password' | 'remembered'>
  /** Throws `invalid_otp`, and `invalid_passkey`. */
  answerChallenge(answer: ChallengeAnswer, visit: ChallengeVisit): Promise<{ ownerId: string; method: SecondStep }>
  /** False where the server is reached by an IP address. */
  canHavePasskeys(): boolean
  /** The principal whose second step it is, while it can be answered. */
  findChallengedUnscoped(challengeId: string): Promise<Mailed | undefined>
  /** Throws `invalid_otp`, and `otp_resend_too_soon`. */
  /** Throws `fresh_proof_required` for whoever has a second factor and has not shown it lately. */
  requireProof(actor: Actor): Promise<void>
  resendCode(challengeId: string, findOwner: FindChallengeOwner): Promise<OtpSent>
  /** This browser isn't asked for a second step for a while. */
  rememberSecondStep(shown: ShownStep, http: Pick<HttpCall, 'setCookie' | 'userAgent'>): Promise<void>
  /** Part of what replaces a password: what the old one had opened or begun ends, except for one session if given. */
  endOpenedByPasswordUnscoped(tx: Db, whose: Mailed, except?: string): Promise<void>
  /** Inside `changePrincipal`: takes a principal's second factors away and ends their sessions. */
  resetFactorsUnscoped(tx: Db, owner: Pick<ChallengeOwner, 'kind' | 'id' | 'email'>): Promise<void>
  /** The kinds of second factors of these principals; those without any are absent. */
  listFactorKindsUnscoped(db: Db, ids: readonly string[]): Promise<Map<string, Factor['kind'][]>>
  /** The rules of the person's organization for their login. */
  findPolicy: FindLoginPolicy
  /** What a browser gets when its sign-in is finished. */
  answer(http: HttpCall, completed: { user: UserRow; session: OpenedSession }): SignedIn
  /** After a sign-in with a password: until it changes, guesses of others don't close the account to this browser. */
  rememberBrowser(http: Pick<HttpCall, 'setCookie'>, account: Account): void
}

export type KeyOwner = Pick<Actor, 'kind' | 'id' | 'name' | 'organizationId'>

export interface Accounts extends Module {
  /**
   * The one way from a token to an actor, for HTTP and sockets alike. A session that still lacks a second factor is no
   * credential to it.
   */
  authenticate: Authenticate
  /** The same, with those sessions: for the gate, which lets them through to where a factor is added or shown. */
  authenticateLacking: Authenticate
  /** Which of these credentials have ended, or have an owner whose account, role or organization changed. */
  findEnded: FindEnded
  users: Users
  identities: Identities
  sessions: Sessions
  logins: Logins
  passwords: Passwords
  /** The actor of an earlier request as they are now; undefined when their credential or account has ended since. */
  findCurrentActorUnscoped(tx: Db, earlier: EarlierActor): Promise<Actor | undefined>
  /** Throws `key_exceeds_own_rights` where the actor couldn't make a key without an end for these routes. */
  requireApiKeyRights(actor: Actor, allowedRoutes: string[]): void
  /** In the caller's transaction: makes an API key of this person, with no more rights than the credential they came with. */
  createApiKey(
    tx: Db,
    asked: { actor: Actor; request: { name: string; allowed_routes: string[]; expires_at?: number }; from: Origin },
  ): Promise<{ row: { id: string }; key: string }>
  /**
   * Inside `changePrincipal` of the owner: a new secret and a new end for the key. Undefined where it is revoked, or the
   * owner's account isn't active.
   */
  renewApiKey(tx: Db, renewed: { keyId: string; expiresAt: Date }): Promise<string | undefined>
  /** Ends a key and the keys made with it. False when the owner has no such key, or it is revoked already. */
  revokeApiKey(owner: KeyOwner, request: { keyId: string; from: Origin }): Promise<boolean>
  /** Names and owners of these keys, revoked ones too. */
  listApiKeysAmongUnscoped(db: Db, ids: readonly string[]): Promise<{ id: string; name: string; principalId: string }[]>
  /**
   * Changes something about a principal (status, role, sessions, name) and makes every node forget what it cached about
   * them: this one before the promise resolves, the others when the commit's signal arrives.
   */
  changePrincipal<Result>(principalId: string, change: (tx: Db) => Promise<Result>): Promise<Result>
  /** Forgets every cached actor on this node. */
  forgetActors(): void
  /** Port: the owners of credentials: people, or platform admins. */
  registerPrincipals(kind: PrincipalKind, source: PrincipalSource): void
  /** Port: another way to sign in. */
  registerLoginMethod(method: LoginMethod): void
  /** Port: another system that checks passwords. */
  registerPasswordSource(source: PasswordSource): void
  /** Port: what principals prove themselves with besides a password and a mailed code. */
  registerSecondFactors(factors: SecondFactors): void
  /** Port: ends what another module keeps beside a session. */
  registerSessionCompanion(companion: SessionCompanion): void
  /** Port: hands over or deletes the things of a person who is deleted. */
  registerDeletionHandler(handle: UserDeletionHandler): void
  /** Port: stops what an account keeps running when somebody proves its address and another person may have made it. */
  registerTakeoverHandler(handle: TakeoverHandler): void
  /** Port: founds the company when one registers. */
  registerCompanyFounder(found: CompanyFounder): void
}
