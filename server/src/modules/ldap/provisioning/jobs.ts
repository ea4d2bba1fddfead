/** The work of the mirror: one pass for each change, tried again while the directory is away, and all once a night. */
import { z } from 'zod'
import type { Db } from '#kernel/db/database.ts'
import { defineJob } from '#kernel/jobs/jobs.ts'
import type { OrganizationListener } from '#modules/organizations/index.ts'
import type { LdapContext } from '../context.ts'
import { mirrorCompany } from './mirror-company.ts'
import type { MirrorTarget } from './mirror-target.ts'

const pageSize = 200

type Deps = Pick<LdapContext, 'db' | 'clock' | 'outbound' | 'log' | 'jobs' | 'accounts' | 'organizations'>

export const createMirrorJobs = (deps: Deps, target: MirrorTarget) => {
  const { db, jobs, log, organizations } = deps
  /**
   * One at a time for each company, any number waiting: a pass that has begun may have read before this change was
   * committed, so every change brings its own. The retries reach over a night; after that the nightly pass mends it.
   */
  const one = defineJob({
    name: 'ldap.mirror-company',
    data: z.object({ organizationId: z.uuid() }),
    policy: 'singleton',
    retryLimit: 60,
    retryDelaySec: 2,
    expireInSec: 600,
    handle: ({ organizationId }, { signal }) => mirrorCompany(deps, target, { organizationId, signal }),
  })
  const enqueueOne = (on: Db, organizationId: string) =>
    jobs.enqueue(on, one, { organizationId }, { singletonKey: organizationId })

  const all = defineJob({
    name: 'ldap.mirror-all',
    data: z.object({}),
    policy: 'exclusive',
    timetable: { cron: '17 3 * * *', data: {} },
    handle: async () => {
      for (let page = 1; ; page += 1) {
        const { items } = await organizations.listUnscoped(db, { page, limit: pageSize })
        for (const { id } of items) await enqueueOne(db, id)
        if (items.length < pageSize) break
      }
      log.info('ldap: every company is queued to be mirrored')
    },
  })

  /** Roles are not mirrored. */
  const onChange: OrganizationListener = async (tx, event) => {
    if (event.type !== 'member_role_changed') await enqueueOne(tx, event.organizationId)
  }
  return { jobs: [one, all], onChange, enqueueAll: () => jobs.enqueue(db, all, {}) }
}
