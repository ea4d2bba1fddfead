/** Small shared field types: what counts as a name, an address, a password. */

import { z } from 'zod'
import { normalized } from './normalized.ts'

const controlCharacter = /\p{Cc}/u
/** Marks that turn the direction of what follows, so that a name reads as another, or lines around it change. */
const directionMark = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** A letter, a digit, a sign: something that can be seen. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** One line of text a person typed: trimmed, normalised to NFC, no control characters. */
export const line = (max: number) =>
  z
    .string()
    .transform((value) => normalized(value.trim()))
    .pipe(
      z
        .string()
        .min(1, 'must not be empty')
        .max(max, { error: `must be at most ${max} characters`, abort: true })
        .refine((value) => !controlCharacter.test(value), 'must not hold control characters')
        .refine((value) => !directionMark.test(value), 'must not hold marks that change the direction of text')
        .refine(
          (value) => visible.test(value.replace(/[\u115f\u1160\u3164\uffa0]/gu, '')),
          'must hold a visible character',
        ),
    )

export const PersonName = line(120)

/** A mail address, kept in lower case so that one mailbox is one account. */
export const EmailAddress = z
  .string()
  .max(254, 'must be at most 254 characters')
  .transform((value) => normalized(value.trim()).toLowerCase())
  .pipe(z.email('must be a mail address'))

/** What is far too long isn't counted. */
const codePoints = (value: string) => (value.length > 1024 ? value.length : [...value].length)

/** A new password: length is all we ask (counted in code points); the server also refuses the most common ones. */
export const NewPassword = z
  .string()
  .refine((value) => codePoints(value) >= 8, 'must be at least 8 characters')
  .refine((value) => codePoints(value) <= 256, 'must be at most 256 characters')
  .refine((value) => !value.includes('\0'), 'must not hold a NUL character')

/** A password somebody offers as proof. Its form is not judged, so that no answer tells why it is wrong. */
export const OfferedPassword = z.string().max(1024)

export const IsoTime = z.iso.datetime()

/** A link that the caller hands to the person it is for. It is told once and kept as a hash. */
export const LinkReply = z.object({ url: z.string() })
