/** Shows when the trial is about to end or has ended; hidden until its last week. */
import type { Organization } from '@chancery/contract/organizations/organizations.ts'
import { Hourglass, Lock } from 'lucide-react'
import { trialOf } from './trial.ts'

const bannerDays = 7

export function TrialBanner({ plan }: Pick<Organization, 'plan'>) {
  const trial = trialOf(plan, new Date())
  if (trial.state === 'none' || (trial.state === 'running' && trial.daysLeft > bannerDays)) return null
  const isOver = trial.state === 'ended'
  const Icon = isOver ? Lock : Hourglass
  return (
    <section
      aria-label="Trial"
      className="flex items-start gap-3 rounded-panel border border-warn/30 bg-warn-wash px-5 py-3.5"
    >
      <Icon aria-hidden className="mt-0.5 size-4.5 shrink-0 text-warn" />
      <div>
        <p className="font-medium">
          {isOver ? 'Your trial has ended' : `Your trial ends in ${daysText(trial.daysLeft)}`}
        </p>
        <p className="text-soft text-sm">
          {isOver
            ? 'You can still view everything, but not make changes. Ask your platform admin for a plan.'
            : 'After that, you can still view everything, but not make changes. Ask your platform admin for a plan.'}
        </p>
      </div>
    </section>
  )
}

const daysText = (days: number) => (days === 1 ? '1 day' : `${days} days`)
