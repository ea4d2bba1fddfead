/** How much mail to recipients a sender, their organization and an address may cause or get. */
import type { Kernel } from '#kernel/kernel.ts'
import type { RateQuota } from '#kernel/quotas/index.ts'
import type { SigningConfig } from '../config.ts'

/** Of what others may: an account whose address isn't proven. */
const unprovenShare = 0.5
/** From all senders together. */
const addressMax = 60

const hourly = { kind: 'rate', windowSec: 3600, refusal: 'mail_limit_reached' } as const

export interface MailQuotas {
  ofSender: RateQuota
  ofOrganization: RateQuota
  toAddress: RateQuota
  toAddressFromAll: RateQuota
}

export const declareMailQuotas = ({ quotas, config }: Pick<Kernel<SigningConfig>, 'quotas' | 'config'>): MailQuotas => {
  const most = config.SIGNING_ADDRESS_MAILS_PER_HOUR
  return {
    ofSender: quotas.declare({
      ...hourly,
      name: 'recipient_mails',
      what: 'emails to recipients for one sender',
      most: config.SIGNING_MAILS_PER_HOUR,
      unprovenMost: config.SIGNING_UNPROVEN_MAILS_PER_HOUR,
      per: 'account',
    }),
    ofOrganization: quotas.declare({
      ...hourly,
      name: 'recipient_mails_of_organization',
      what: 'emails to recipients for all senders',
      most: config.SIGNING_ORGANIZATION_MAILS_PER_HOUR,
      per: 'scope',
    }),
    toAddress: quotas.declare({
      ...hourly,
      name: 'recipient_mails_to_address',
      what: 'emails from one sender to one recipient',
      most,
      unprovenMost: Math.max(1, Math.floor(most * unprovenShare)),
      per: 'account',
      isPerMailbox: true,
    }),
    toAddressFromAll: quotas.declare({
      ...hourly,
      name: 'recipient_mails_to_address_from_all',
      what: 'emails to one recipient from everybody',
      most: Math.max(addressMax, most),
      per: 'scope',
      isPerMailbox: 'of everybody',
    }),
  }
}
