/** `/api/auth`: registration, login, the signed-in person, sessions. (Contract: "Accounts and organizations".) */
import { z } from 'zod'
import { EmailAddress, IsoTime, line, NewPassword, OfferedPassword, PersonName } from '../text.ts'
import { PasskeyAnswer, SecondStep } from './factors.ts'

export const Role = z.enum(['ROLE_USER', 'ROLE_ORG_ADMIN', 'ROLE_PLATFORM_OWNER'])
export type Role = z.infer<typeof Role>

export const AccountStatus = z.enum(['ACTIVE', 'DEACTIVATED'])
export type AccountStatus = z.infer<typeof AccountStatus>

export const User = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: Role,
  organizationId: z.uuid().nullable(),
  status: AccountStatus,
  emailVerified: z.boolean().describe('Mail to the address has been seen to reach them.'),
  createdAt: IsoTime,
})
export type User = z.infer<typeof User>

/** The signed-in person, with the settings only they see. */
export const Me = User.extend({
  loginOtp: z.boolean(),
  needsFactor: z.boolean().describe('This session may only set up or show a second factor.'),
})
export type Me = z.infer<typeof Me>

/** Turning the login code off takes the current password, for people who have one. */
export const MePatch = z.strictObject({
  name: PersonName.optional(),
  loginOtp: z.boolean().optional(),
  currentPassword: OfferedPassword.optional(),
})

export const RegisterPersonBody = z.strictObject({ name: PersonName, email: EmailAddress, password: NewPassword })

export const CompanyName = line(120)
export const RegisterCompanyBody = z.strictObject({
  companyName: CompanyName,
  name: PersonName,
  email: EmailAddress,
  password: NewPassword,
})
export type RegisterCompanyBody = z.infer<typeof RegisterCompanyBody>

/** A person, or a company when `companyName` is there. */
export const RegisterBody = RegisterPersonBody.extend({ companyName: CompanyName.optional() })

/** `expiresAt` is null when `JWT_EXPIRES_IN` is -1. */
export const SignedIn = z.object({
  token: z.string(),
  tokenType: z.literal('Bearer'),
  expiresAt: IsoTime.nullable(),
  user: User,
})
export type SignedIn = z.infer<typeof SignedIn>

export const OrganizationHead = z.object({ id: z.uuid(), name: z.string(), code: z.string() })
export const CompanySignedIn = SignedIn.extend({ organization: OrganizationHead })
export const RegisterReply = SignedIn.extend({ organization: OrganizationHead.optional() })

export const LoginBody = z.strictObject({ email: z.string().max(320), password: OfferedPassword })

export const OtpChallenge = z.object({
  challengeId: z.uuid(),
  expiresIn: z.int().describe('Seconds the code stays valid.'),
  resendAfter: z.int().describe('Seconds until another code may be asked for.'),
})
export const OtpRequired = OtpChallenge.extend({
  otpRequired: z.literal(true),
  methods: z.array(SecondStep).describe('How the second step can be answered, the best first.'),
  canRememberBrowser: z.boolean().describe('`rememberBrowser` is heard.'),
})
export type OtpRequired = z.infer<typeof OtpRequired>
export const LoginReply = z.union([SignedIn, OtpRequired])
export type LoginReply = z.infer<typeof LoginReply>

export const MailedCodeBody = z.strictObject({ challengeId: z.uuid(), otp: z.string().max(32) })
/** A code, the emailed one unless `method` says otherwise, or the answer of a passkey. */
export const VerifyOtpBody = z
  .strictObject({
    challengeId: z.uuid(),
    otp: z.string().max(32).optional(),
    method: SecondStep.optional(),
    response: PasskeyAnswer.optional(),
    rememberBrowser: z.boolean().optional().describe('Ask this browser for no second step for 30 days.'),
  })
  .refine(({ otp, method }) => otp !== undefined || method === 'passkey', { path: ['otp'], message: 'is required' })
  .refine(({ response, method }) => response !== undefined || method !== 'passkey', {
    path: ['response'],
    message: 'is required',
  })
export const ResendOtpBody = z.strictObject({ challengeId: z.uuid() })

export const KnownBrowserQuery = z.strictObject({ token: z.string().max(400) })

export const LoginModeQuery = z.strictObject({ email: z.string().max(320) })
export const LoginMode = z.object({
  mode: z.enum(['NATIVE', 'SSO']),
  ssoUrl: z.string().optional(),
  passwordAllowed: z.boolean().optional().describe('With SSO: a password works as well.'),
})

/** `password` is for somebody who opens the link without being signed in: it replaces the one the account has. */
export const VerifyEmailBody = z.strictObject({ token: z.string().min(1).max(256), password: NewPassword.optional() })

export const ForgotPasswordBody = z.strictObject({ email: EmailAddress })
export const Accepted = z.object({ accepted: z.literal(true) })
export const ResetPasswordBody = z.strictObject({ token: z.string().min(1).max(256), password: NewPassword })
export const PasswordChanged = z.object({ changed: z.literal(true) })
export const ChangePasswordBody = z.strictObject({ currentPassword: OfferedPassword, newPassword: NewPassword })

/** GET `/api/auth/mail`: where no mail server is configured, links and codes are in the platform admin's outbox. */
export const MailFacts = z.object({ configured: z.boolean() })

export const TokenFacts = z.object({ valid: z.literal(true), expiresAt: IsoTime.nullable(), user: User })

export const Session = z.object({
  id: z.uuid(),
  device: z.string(),
  ip: z.string().nullable(),
  current: z.boolean(),
  createdAt: IsoTime,
  lastUsedAt: IsoTime,
  expiresAt: IsoTime.nullable(),
})
export type Session = z.infer<typeof Session>
export const SessionList = z.object({ sessions: z.array(Session) })
