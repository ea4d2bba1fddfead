/**
 * A browser in which somebody has signed in before keeps a signed cookie for that account. When too many guesses have
 * closed the account to strangers, its owner still gets in from there, or from a browser that a mailed link made known.
 * A sign-in makes it known for as long as the password stays: a person who knew an earlier one may be a stranger by now.
 */
import { equalsInConstantTime, hashToken, macOf } from '#kernel/crypto/tokens.ts'
import type { PrincipalKind } from '#kernel/http/actor.ts'
import type { HttpCall } from '#kernel/http/route.ts'
import type { Kernel } from '#kernel/kernel.ts'

const hourMs = 3_600_000
/** By how the browser became known. Browsers keep no cookie for longer than 400 days. */
const lifeMs = { signIn: 400 * 24 * hourMs, mail: 24 * hourMs }

type Way = keyof typeof lifeMs

export interface Account {
  kind: PrincipalKind
  id: string
  /** Null for people who sign in elsewhere. */
  passwordHash: string | null
}

export interface KnownBrowser {
  way: Way
  /** Names this browser in the counts of failures. */
  mark: string
}

type Deps = Pick<Kernel, 'clock' | 'config' | 'secrets'>

export type Mailed = Pick<Account, 'kind' | 'id'>

const cookieOf = ({ id }: Mailed): string => `known_${id}`
const pathOf: Record<PrincipalKind, string> = { user: '/api/auth', admin: '/api/admin/auth' }

type Known = (Account & { way: 'signIn' }) | (Mailed & { way: 'mail' })

const sign = ({ secrets }: Pick<Deps, 'secrets'>, known: Known, since: number) => {
  const password = known.way === 'mail' ? '' : ` ${hashToken(known.passwordHash ?? '')}`
  return macOf(secrets.SVC_SECRET_KEY, 'known-browser', `${known.kind} ${known.id} ${known.way} ${since}${password}`)
}

const valueFor = (deps: Deps, known: Known): string => {
  const since = deps.clock.now().getTime()
  return `${known.way}.${since}.${sign(deps, known, since)}`
}

/** Undefined for a value that is not of this account, too old, or made up. */
const readValue = (deps: Deps, known: Known, value: string | undefined): KnownBrowser | undefined => {
  const { way } = known
  const [given, sinceText = '', mac = ''] = (value ?? '').split('.')
  const since = Number(sinceText)
  if (given !== way || !equalsInConstantTime(mac, sign(deps, known, since))) return undefined
  const isOver = since + lifeMs[way] <= deps.clock.now().getTime()
  return isOver ? undefined : { way, mark: hashToken(mac).slice(0, 32) }
}

export const findKnownBrowser = (
  deps: Deps,
  account: Account,
  cookies: HttpCall['cookies'] | undefined,
): KnownBrowser | undefined => {
  const value = cookies?.[cookieOf(account)]
  return readValue(deps, { ...account, way: 'signIn' }, value) ?? readValue(deps, { ...account, way: 'mail' }, value)
}

/** After a sign-in, or by a mailed link. */
export const rememberBrowser = (deps: Deps, http: Pick<HttpCall, 'setCookie'>, known: Known): void => {
  const { clock, config } = deps
  http.setCookie(cookieOf(known), valueFor(deps, known), {
    secure: config.SVC_AUTH_COOKIE_SECURE,
    sameSite: config.SVC_AUTH_COOKIE_SAME_SITE,
    path: pathOf[known.kind],
    expiresAt: new Date(clock.now().getTime() + lifeMs[known.way]),
  })
}

/** The token in the mailed link. */
export const browserToken = (deps: Deps, { kind, id }: Mailed): string =>
  `${kind}.${id}.${valueFor(deps, { kind, id, way: 'mail' })}`

export const readBrowserToken = (deps: Deps, token: string): Mailed | undefined => {
  const [kind, id = '', ...rest] = token.split('.')
  if (kind !== 'user' && kind !== 'admin') return undefined
  const account = { kind, id } as const
  return readValue(deps, { ...account, way: 'mail' }, rest.join('.')) && account
}
