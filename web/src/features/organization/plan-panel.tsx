/** The plan and its usage. */
import type { Organization } from '@chancery/contract/organizations/organizations.ts'
import { formatBytes } from '#lib/text/bytes.ts'
import { Meter } from '#ui/feedback/meter.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { Time } from '#ui/values/time.tsx'
import { trialOf } from './trial.ts'

const figures = new Intl.NumberFormat('en')

export const planName = ({ name }: Organization['plan']) => name.charAt(0) + name.slice(1).toLowerCase()

export function PlanPanel({ organization: { plan, usage, memberCount } }: { organization: Organization }) {
  const { members, documentsPerMonth, storageBytes } = plan.limits
  const invited = usage.members - memberCount
  return (
    <Panel title="Plan" action={<Badge tone="seal">{planName(plan)}</Badge>} hint={<TrialEnd plan={plan} />}>
      <div className="flex flex-col gap-6">
        <Meter
          label="Seats"
          used={usage.members}
          limit={members}
          words={`${figures.format(usage.members)} of ${figures.format(members)}${invited > 0 ? `, ${invited} invited` : ''}`}
        />
        <Meter
          label="Documents this month"
          used={usage.documentsThisMonth}
          limit={documentsPerMonth}
          words={`${figures.format(usage.documentsThisMonth)} of ${figures.format(documentsPerMonth)}`}
        />
        <Meter
          label="Storage"
          used={usage.storageBytes}
          limit={storageBytes}
          words={`${formatBytes(usage.storageBytes)} of ${formatBytes(storageBytes)}`}
        />
      </div>
    </Panel>
  )
}

function TrialEnd({ plan }: Pick<Organization, 'plan'>) {
  const { state } = trialOf(plan, new Date())
  if (state === 'none' || plan.trialEndsAt === null) return 'No end date.'
  return (
    <>
      The trial {state === 'ended' ? 'ended' : 'ends'} <Time at={plan.trialEndsAt} />.
    </>
  )
}
