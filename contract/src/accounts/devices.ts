/**
 * Signing in on a device without a browser, such as a command line (RFC 8628): it shows a code, the person confirms it in
 * the web app, and the device, which keeps asking, gets an API key.
 */
import { z } from 'zod'
import { line } from '../text.ts'

/** What the person reads when asked to confirm: the program and the machine. */
export const DeviceBody = z.strictObject({ name: line(120) })
export const DeviceCode = z.object({
  device_code: z.string(),
  /** Eight letters with a dash between them. */
  user_code: z.string(),
  verification_uri: z.string(),
  /** The same page with the code filled in. */
  verification_uri_complete: z.string(),
  /** Seconds. */
  expires_in: z.int(),
  /** Seconds between two questions for the key. */
  interval: z.int(),
})
export type DeviceCode = z.infer<typeof DeviceCode>

/** Until the person has decided: 400 `authorization_pending`; afterwards perhaps `access_denied` or `expired_token`. */
export const DeviceTokenBody = z.strictObject({ device_code: z.string().max(200) })
export const DeviceToken = z.object({
  /** An API key. It is in its owner's list and revoked there. */
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
})
export type DeviceToken = z.infer<typeof DeviceToken>

/** Dashes, spaces and lower case don't matter. */
const UserCode = z.string().min(1).max(40)
export const DeviceQuery = z.strictObject({ user_code: UserCode })
export const DeviceQuestion = z.object({
  name: z.string(),
  /** The address that the device asked from. */
  ip: z.string(),
  /** Unix seconds. */
  asked_at: z.int(),
  /** When the key would end, in Unix seconds. */
  key_expires_at: z.int(),
})
export type DeviceQuestion = z.infer<typeof DeviceQuestion>
export const DeviceDecision = z.strictObject({ user_code: UserCode, allowed: z.boolean() })
