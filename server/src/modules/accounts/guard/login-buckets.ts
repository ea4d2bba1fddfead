/** Pure. What the failures of one attempt are counted under. */
import { hashToken } from '#kernel/crypto/tokens.ts'
import { addressNetworks } from '#kernel/http/gate/rate-limit.ts'
import { addressWaitMs, pairLockMs, type Width } from './login-delays.ts'

export interface Attempt {
  /** `user` and `admin` logins are counted apart. */
  door: string
  email: string
  ip: string
}

const widths: readonly Width[] = ['household', 'network']

export const accountKeyOf = ({ door, email }: Pick<Attempt, 'door' | 'email'>): string =>
  hashToken(`${door} ${email}`).slice(0, 32)

export const bucketsOf = (attempt: Attempt, browser: { mark: string } | undefined) => {
  const key = accountKeyOf(attempt)
  const own = browser ? `${key} ${browser.mark}` : key
  const networks = addressNetworks(attempt.ip).map((network, at) => ({ network, width: widths[at] ?? 'network' }))
  return {
    /** The account and an address together; a known browser is counted apart from others at its address. */
    pairs: networks.map(({ network, width }) => ({
      bucket: `pair ${own} ${network}`,
      lockMs: (failures: number) => pairLockMs(failures, width),
    })),
    account: `account ${key}`,
    addresses: networks.map(({ network, width }) => ({
      bucket: `address ${network}`,
      waitMs: (failures: number) => addressWaitMs(failures, width),
    })),
    /** Failures in a row, which no time ends: of everybody, or of one known browser. */
    row: `row ${own}`,
  }
}

export type Buckets = ReturnType<typeof bucketsOf>
