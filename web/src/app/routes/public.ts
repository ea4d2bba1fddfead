/** Routes before sign-in. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { goToLanding, requireLackingFactor, skipIfSignedIn } from '../guards.ts'
import { textOf } from '../search-params.ts'
import { rootRoute, type Search } from './root.ts'

const getParentRoute = () => rootRoute
const returnTo = (search: Search): { return_to?: string } => textOf(search, 'return_to')

const index = createRoute({ getParentRoute, path: '/', beforeLoad: goToLanding })
const signIn = createRoute({
  getParentRoute,
  path: '/sign-in',
  validateSearch: (search: Search): { return_to?: string; problem?: string } => ({
    ...returnTo(search),
    ...textOf(search, 'problem'),
  }),
  beforeLoad: skipIfSignedIn('person'),
  component: lazyRouteComponent(() => import('../pages/sign-in.tsx'), 'SignInPage'),
})
const register = createRoute({
  getParentRoute,
  path: '/register',
  validateSearch: (search: Search): { kind?: 'company' } => (search.kind === 'company' ? { kind: 'company' } : {}),
  component: lazyRouteComponent(() => import('../pages/register.tsx'), 'RegisterPage'),
})
const forgot = createRoute({
  getParentRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('../pages/forgot-password.tsx'), 'ForgotPasswordPage'),
})
const reset = createRoute({
  getParentRoute,
  path: '/reset-password',
  validateSearch: (search: Search): { token?: string } => textOf(search, 'token'),
  component: lazyRouteComponent(() => import('../pages/reset-password.tsx'), 'ResetPasswordPage'),
})
const acceptInvite = createRoute({
  getParentRoute,
  path: '/accept-invite',
  validateSearch: (search: Search): { token?: string } => textOf(search, 'token'),
  component: lazyRouteComponent(() => import('../pages/accept-invite.tsx'), 'AcceptInvitePage'),
})
const verifyEmail = createRoute({
  getParentRoute,
  path: '/verify-email',
  validateSearch: (search: Search): { token?: string } => textOf(search, 'token'),
  component: lazyRouteComponent(() => import('../pages/verify-email.tsx'), 'VerifyEmailPage'),
})
const setup = createRoute({
  getParentRoute,
  path: '/setup',
  component: lazyRouteComponent(() => import('../pages/setup.tsx'), 'SetupPage'),
})
const platformSignIn = createRoute({
  getParentRoute,
  path: '/platform/sign-in',
  validateSearch: returnTo,
  beforeLoad: skipIfSignedIn('admin'),
  component: lazyRouteComponent(() => import('../pages/platform-sign-in.tsx'), 'PlatformSignInPage'),
})
const platformForgot = createRoute({
  getParentRoute,
  path: '/platform/forgot-password',
  component: lazyRouteComponent(() => import('../pages/platform-forgot-password.tsx'), 'PlatformForgotPasswordPage'),
})
const platformReset = createRoute({
  getParentRoute,
  path: '/platform/reset-password',
  validateSearch: (search: Search): { token?: string } => textOf(search, 'token'),
  component: lazyRouteComponent(() => import('../pages/platform-reset-password.tsx'), 'PlatformResetPasswordPage'),
})
const secondFactor = createRoute({
  getParentRoute,
  path: '/second-factor',
  validateSearch: returnTo,
  beforeLoad: requireLackingFactor,
  component: lazyRouteComponent(() => import('../pages/second-factor.tsx'), 'SecondFactorPage'),
})
const sign = createRoute({
  getParentRoute,
  path: '/sign/$token',
  component: lazyRouteComponent(() => import('../pages/sign.tsx'), 'SignPage'),
})
const stopEmails = createRoute({
  getParentRoute,
  path: '/sign/$token/stop',
  component: lazyRouteComponent(() => import('../pages/stop-emails.tsx'), 'StopEmailsPage'),
})
const verify = createRoute({
  getParentRoute,
  path: '/verify',
  component: lazyRouteComponent(() => import('../pages/verify.tsx'), 'VerifyPage'),
})

const publicChat = createRoute({
  getParentRoute,
  path: '/public/$token',
  component: lazyRouteComponent(() => import('../pages/public-chat.tsx'), 'PublicChatPage'),
})

export const publicRoutes = [
  index,
  signIn,
  register,
  forgot,
  reset,
  acceptInvite,
  verifyEmail,
  setup,
  platformSignIn,
  platformForgot,
  platformReset,
  secondFactor,
  sign,
  stopEmails,
  verify,
  publicChat,
] as const
