/** Secrets for tests; they guard nothing. */
import type { Secrets } from '#kernel/config/secrets.ts'

export const testSecrets = {
  JWT_SECRET: 'a-secret-for-tests-only-that-is-long-enough-to-be-accepted-by-the-rules',
  SVC_SECRET_KEY: 'another-secret-for-tests-only-of-32-or-more',
  ADMIN_SETUP_KEY: 'the-setup-key-of-the-tests',
} satisfies Secrets
