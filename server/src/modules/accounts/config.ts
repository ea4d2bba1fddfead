/** Who may register, and how long a login lasts. */
import { choice, duration, list, type ValuesOf } from '#kernel/config/variable.ts'

export const accountsVariables = {
  'Where it runs': {
    SVC_SIGNUP: choice(['open', 'domains', 'invite'], {
      fallback: 'open',
      sentence: 'Who may register: anybody, addresses of SVC_SIGNUP_DOMAINS, or only invited people.',
    }),
    SVC_SIGNUP_DOMAINS: list({
      fallback: [],
      separator: ',',
      sentence: 'Email domains that may register, with SVC_SIGNUP=domains.',
    }),
  },
  'Secrets and login': {
    JWT_EXPIRES_IN: duration({
      fallback: 28 * 86_400_000,
      fallbackText: '4w',
      sentence: 'How long a login lasts: a number with ms, s, m, h, d or w, or -1 for no end.',
    }),
  },
} as const
export type AccountsConfig = ValuesOf<typeof accountsVariables>
