/** The plan and how much of it is used. What nothing counts yet is shown as a limit, not as a full or empty bar. */
import type { Organization } from '@chancery/contract/organizations.ts'
import { Badge } from '#ui/badge.tsx'
import { Panel } from '#ui/layout.tsx'
import { Meter } from '#ui/meter.tsx'
import { Time } from '#ui/time.tsx'

const figures = new Intl.NumberFormat('en')
const gibibyte = 1024 ** 3

const sayBytes = (bytes: number) => `${figures.format(Math.round((bytes / gibibyte) * 10) / 10)} GB`
const titleCase = (word: string) => word.charAt(0) + word.slice(1).toLowerCase()

export function PlanPanel({ organization }: { organization: Organization }) {
  const { plan, memberCount } = organization
  const { members, documentsPerMonth, storageBytes } = plan.limits
  return (
    <Panel
      title="Plan"
      action={<Badge tone="seal">{titleCase(plan.name)}</Badge>}
      hint={<TrialEnd at={plan.trialEndsAt} />}
    >
      <div className="flex flex-col gap-6">
        <Meter
          label="Members"
          used={memberCount}
          limit={members}
          words={`${memberCount} of ${figures.format(members)}`}
        />
        <Meter
          label="Documents"
          limit={documentsPerMonth}
          words={`up to ${figures.format(documentsPerMonth)} a month`}
        />
        <Meter label="Storage" limit={storageBytes} words={`up to ${sayBytes(storageBytes)}`} />
      </div>
      <p className="mt-5 text-faint text-sm">Documents and storage are counted once the Documents area has arrived.</p>
    </Panel>
  )
}

function TrialEnd({ at }: { at: string | null }) {
  if (at === null) return 'Runs without an end date.'
  return new Date(at).getTime() < Date.now() ? (
    <>
      The trial ended <Time at={at} />.
    </>
  ) : (
    <>
      The trial ends <Time at={at} />.
    </>
  )
}
