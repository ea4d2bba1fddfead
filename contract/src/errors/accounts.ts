/** Accounts, the platform, organizations and company login. */
import type { ErrorEntry } from './entry.ts'

export const accountsErrors = {
  // Accounts
  email_taken: { status: 409, kind: 'conflict', sentence: 'An account with this email already exists.' },
  signup_closed: {
    status: 403,
    kind: 'forbidden',
    sentence: 'Sign-up is closed for this email address. Ask for an invitation.',
  },
  email_not_verified: {
    status: 403,
    kind: 'forbidden',
    sentence: 'Verify your email address first. We can send you a link.',
  },
  password_too_common: {
    status: 422,
    kind: 'invalid',
    sentence: 'This password is too common. Choose another one.',
  },
  wrong_password: { status: 403, kind: 'forbidden', sentence: 'The current password is incorrect.' },
  invalid_otp: { status: 401, kind: 'auth', sentence: 'The code is incorrect, already used or expired.' },
  invalid_passkey: {
    status: 401,
    kind: 'auth',
    sentence: "This passkey wasn't accepted. Try again, or sign in another way.",
  },
  passkeys_unavailable: {
    status: 409,
    kind: 'conflict',
    sentence: 'Passkeys need a domain name: this server is reached by an IP address.',
  },
  passkey_known: { status: 409, kind: 'conflict', sentence: 'This passkey is already in use here.' },
  factor_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that. It may have been removed, or its setup has expired.",
  },
  wrong_code: { status: 400, kind: 'invalid', sentence: 'The code is incorrect or was already used.' },
  too_many_factors: {
    status: 409,
    kind: 'conflict',
    sentence: 'An account can have 20 of these. Remove one that you no longer use.',
  },
  fresh_proof_required: {
    status: 403,
    kind: 'forbidden',
    sentence: "Confirm that it's you, then try again.",
  },
  factor_required: {
    status: 403,
    kind: 'forbidden',
    sentence: 'This account needs a second factor before it can go on.',
  },
  factor_policy: {
    status: 409,
    kind: 'conflict',
    sentence: 'Your organization asks for a second factor. Add another one before you remove this one.',
  },
  invalid_verification_token: {
    status: 400,
    kind: 'invalid',
    sentence: 'This link is invalid or has expired. Ask for a new one.',
  },
  otp_resend_too_soon: {
    status: 429,
    kind: 'limit',
    sentence: 'A code was just sent. Wait a moment before requesting another one.',
  },
  invalid_reset_token: {
    status: 400,
    kind: 'invalid',
    sentence: 'This reset link is invalid or has expired. Request a new one.',
  },
  session_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that session. It may have ended." },
  api_key_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that API key. It may have been revoked.",
  },
  key_exceeds_own_rights: {
    status: 403,
    kind: 'forbidden',
    sentence: "An API key can't create a key with more permissions than its own.",
  },

  // Devices without a browser; the codes are those of RFC 8628
  authorization_pending: {
    status: 400,
    kind: 'invalid',
    sentence: "The sign-in hasn't been confirmed yet. Ask again after the interval.",
  },
  access_denied: { status: 400, kind: 'forbidden', sentence: 'The sign-in was declined.' },
  expired_token: { status: 400, kind: 'invalid', sentence: 'The code has expired or was used. Sign in again.' },
  device_code_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that code. Codes work once, for ten minutes.",
  },

  // Platform
  wrong_setup_key: { status: 403, kind: 'forbidden', sentence: 'The setup key is incorrect.' },
  already_set_up: { status: 409, kind: 'conflict', sentence: 'A platform admin already exists.' },
  admin_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that platform admin." },
  last_admin: { status: 409, kind: 'conflict', sentence: "You can't remove the last active admin." },
  user_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that user." },
  transfer_refused: {
    status: 409,
    kind: 'conflict',
    sentence: "That person can't take this over. Choose somebody active in the same organization.",
  },
  organization_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that organization." },
  mail_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that email." },

  // Organizations
  no_organization: { status: 404, kind: 'missing', sentence: "You're not in an organization." },
  member_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that member." },
  invitation_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that invitation. It may have been revoked.",
  },
  invitation_not_valid: { status: 400, kind: 'invalid', sentence: 'This invitation is invalid or has expired.' },
  already_member: { status: 409, kind: 'conflict', sentence: 'This person is already a member.' },
  banned_by_platform: {
    status: 409,
    kind: 'conflict',
    sentence: 'This account was banned by a platform admin. Only they can lift the ban.',
  },
  company_login_required: {
    status: 403,
    kind: 'forbidden',
    sentence: 'Your organization uses its own sign-in. Sign in with your company account.',
  },
  link_goes_by_email: {
    status: 409,
    kind: 'conflict',
    sentence: 'This link was sent by email. Resend the email instead of copying the link.',
  },
  already_invited: {
    status: 409,
    kind: 'conflict',
    sentence: 'This person has already been invited. Resend the invitation instead.',
  },
  unit_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that group or department." },
  // A directory that sends people and groups (SCIM)
  scim_invalid_filter: { status: 400, kind: 'invalid', sentence: 'This filter is invalid.' },
  scim_invalid_path: { status: 400, kind: 'invalid', sentence: 'This path is invalid.' },
  scim_invalid_syntax: { status: 400, kind: 'invalid', sentence: 'The body is not what SCIM asks for.' },
  scim_invalid_value: { status: 400, kind: 'invalid', sentence: 'A value is missing or invalid.' },
  scim_no_target: { status: 400, kind: 'invalid', sentence: 'The operation names nothing that it could change.' },
  scim_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that person or group." },
  scim_taken: { status: 409, kind: 'conflict', sentence: 'A person with this user name or email already exists.' },
  scim_version_changed: { status: 412, kind: 'conflict', sentence: 'It has changed since this version was read.' },
  scim_token_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that token. It may have been revoked.",
  },
  scim_token_limit: {
    status: 409,
    kind: 'conflict',
    sentence: 'An organization can have two tokens. Revoke the one that your directory no longer uses.',
  },
  deactivated_here: {
    status: 409,
    kind: 'conflict',
    sentence: 'An administrator deactivated this person in Chancery. Only they can let them in again.',
  },
  deactivations_held: {
    status: 403,
    kind: 'forbidden',
    sentence: 'So many people would be deactivated that it may be a mistake. An administrator has to allow it first.',
  },
  domain_not_found: { status: 404, kind: 'missing', sentence: 'We couldn’t find that domain.' },
  domain_not_proven: {
    status: 409,
    kind: 'conflict',
    sentence: 'The TXT record wasn’t found at this domain. DNS changes can take a few hours.',
  },
  domain_required: {
    status: 409,
    kind: 'conflict',
    sentence: 'Verify an email domain before you switch to company sign-in, or ask a platform admin.',
  },
  email_domain_taken: {
    status: 409,
    kind: 'conflict',
    sentence: 'This email address belongs to the verified domain of another organization.',
  },
  invitation_for_another_address: {
    status: 409,
    kind: 'conflict',
    sentence: 'This invitation was sent to another email address. Sign in with that account to accept it.',
  },
  already_in_organization: {
    status: 409,
    kind: 'conflict',
    sentence: 'You already belong to an organization. Leave it before you join another one.',
  },
  domain_taken: { status: 409, kind: 'conflict', sentence: 'One of these domains belongs to another organization.' },
  name_taken: { status: 409, kind: 'conflict', sentence: 'This name is already taken.' },
  plan_limit_reached: { status: 409, kind: 'conflict', sentence: "You've reached the limit of your plan." },
  trial_expired: {
    status: 403,
    kind: 'forbidden',
    sentence: 'Your trial has ended. You can still view everything, but not make changes.',
  },

  // Company login
  sso_not_configured: { status: 503, kind: 'server', sentence: "Company login isn't set up on this instance." },
  sso_failed: { status: 400, kind: 'invalid', sentence: 'Company login failed. Try again.' },
  sso_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: "You can't sign in with this company login. Ask your admin.",
  },
  idp_unavailable: {
    status: 502,
    kind: 'provider',
    sentence: "The identity provider isn't responding correctly. Try again later.",
  },
  provider_not_found: { status: 404, kind: 'missing', sentence: 'We couldn’t find that identity provider.' },
  provider_in_use: {
    status: 409,
    kind: 'conflict',
    sentence:
      'This is the only way your people can sign in. Switch sign-in back to passwords first, or sign in once with another identity provider.',
  },
  provider_domain_taken: {
    status: 409,
    kind: 'conflict',
    sentence: 'Another enabled identity provider already signs in people of one of these domains.',
  },
  oauth_failed: { status: 400, kind: 'invalid', sentence: 'Signing in with the provider failed. Try again.' },
  oauth_address_not_proven: {
    status: 403,
    kind: 'forbidden',
    sentence:
      'An account with this email exists, but the email was never confirmed. Reset its password once, then sign in this way.',
  },
  oauth_address_not_verified: {
    status: 403,
    kind: 'forbidden',
    sentence: "That provider hasn't verified your email address. Verify it there, or sign in with your password.",
  },
  oauth_not_allowed: {
    status: 403,
    kind: 'forbidden',
    sentence: "You can't sign in with this provider. Use the sign-in method your organization has set up.",
  },
  oauth_signup_off: {
    status: 403,
    kind: 'forbidden',
    sentence: "You don't have an account yet, and this provider can't create one. Sign up or ask for an invitation.",
  },
  ldap_not_configured: { status: 404, kind: 'missing', sentence: 'No directory is connected.' },
  held_back_not_found: {
    status: 404,
    kind: 'missing',
    sentence: "We couldn't find that work. It may have been released or deleted.",
  },
  held_back_not_deletable: {
    status: 409,
    kind: 'conflict',
    sentence: "This work can't be deleted here, only released.",
  },
  setting_not_found: { status: 404, kind: 'missing', sentence: "We couldn't find that setting." },
  setting_not_editable: {
    status: 409,
    kind: 'conflict',
    sentence: "This setting comes from the server's environment and can't be changed here.",
  },
} as const satisfies Record<string, ErrorEntry>
