/** Signing in, and the key for programs. */
import { createApiKey, logIn, verifyLoginCode } from '../../../contract/src/endpoints/accounts.ts'
import { getMe } from '../../../contract/src/endpoints/entrance.ts'
import { example, sample } from './example.ts'

const user = {
  id: sample.user,
  name: 'Ada Byron',
  email: 'ada@acme.example',
  role: 'ROLE_USER',
  organizationId: sample.organization,
  status: 'ACTIVE',
  emailVerified: true,
  createdAt: sample.isoTime,
} as const

const signedIn = {
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIwMThmIn0.c2lnbmF0dXJl',
  tokenType: 'Bearer',
  expiresAt: '2026-12-19T09:30:00.000Z',
  user,
} as const

export const signInExamples = [
  example(logIn, {
    note: 'Where the account or its organization asks for a code by email, the reply is `{"otpRequired": true, "challengeId", …}` instead, and `POST /api/auth/verify-login-otp` finishes the sign-in. Programs should use an API key instead of a password.',
    body: { email: 'ada@acme.example', password: 'correct horse battery staple' },
    reply: signedIn,
    errors: ['invalid_credentials', 'company_login_required'],
  }),
  example(verifyLoginCode, { body: { challengeId: sample.document, otp: '493027' }, reply: signedIn }),
  example(getMe, { reply: { ...user, loginOtp: false, needsFactor: false } }),
  example(createApiKey, {
    note: 'The reply is the only one that holds the key. Without `allowed_routes` it may do everything that you may.',
    body: { name: 'Nightly import', allowed_routes: ['/api/v1/events', '/api/v1/knowledge'] },
    reply: {
      id: sample.version,
      name: 'Nightly import',
      prefix: 'sk-4f1c',
      allowed_routes: ['/api/v1/events', '/api/v1/knowledge'],
      expires_at: null,
      created_at: sample.seconds,
      key: 'sk-4f1c0d5c8e7a6b125d7f9b1a3c168c0e2a4b6d17',
    },
  }),
]
