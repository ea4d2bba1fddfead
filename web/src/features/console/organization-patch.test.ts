import { OrganizationPatch } from '@chancery/contract/platform/platform.ts'
import { describe, expect, it } from 'vitest'
import { type Detail, fieldsOfDetail, organizationPatch } from './organization-patch.ts'

const detail: Detail = {
  id: '0199c5a4-0000-7000-8000-000000000000',
  name: 'Aldgate',
  code: 'aldgate',
  authProvider: 'NATIVE',
  plan: 'TRIAL',
  memberCount: 3,
  createdAt: '2026-01-01T00:00:00.000Z',
  trialEndsAt: '2026-02-01T09:30:00.000Z',
  limits: { members: 10, documentsPerMonth: 100, storageBytes: 5 * 1024 ** 3 },
  active: true,
  domains: ['aldgate.test'],
}
const fields = fieldsOfDetail(detail)

describe('the changes to an organization', () => {
  it('are empty when nothing was changed', () => {
    expect(organizationPatch(fields, detail, 'NATIVE')).toEqual({})
  })

  it('contain only what was changed', () => {
    const typed = { ...fields, members: '25', storageBytes: '7.5', domains: 'aldgate.test, paper.test' }
    expect(organizationPatch(typed, detail, 'SSO')).toEqual({
      limits: { members: 25, storageBytes: 7.5 * 1024 ** 3 },
      domains: ['aldgate.test', 'paper.test'],
      authProvider: 'SSO',
    })
  })

  it('end a trial at the end of its last day, and remove the end if the date is blank', () => {
    expect(organizationPatch({ ...fields, trialEndsAt: '2026-03-05' }, detail, 'NATIVE')).toEqual({
      trialEndsAt: '2026-03-05T23:59:59.000Z',
    })
    expect(organizationPatch({ ...fields, trialEndsAt: '' }, detail, 'NATIVE')).toEqual({ trialEndsAt: null })
  })

  it('do not treat a cleared limit as zero', () => {
    const patch = organizationPatch({ ...fields, members: ' ' }, detail, 'NATIVE')
    expect(OrganizationPatch.safeParse(patch).success).toBe(false)
  })
})
