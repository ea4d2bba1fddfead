/** The used part of an allowance. */
interface MeterProps {
  label: string
  /** Undefined while unknown: the track is then drawn as an outline. */
  used?: number
  limit: number
  words: string
}

export function Meter({ label, used, limit, words }: MeterProps) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-4">
        <span className="font-medium">{label}</span>
        <span className="figures text-soft text-sm">{words}</span>
      </div>
      {used === undefined ? (
        <div aria-hidden className="h-1.5 rounded-full border border-rule border-dashed opacity-60" />
      ) : (
        <Bar label={label} used={used} limit={limit} words={words} />
      )}
    </div>
  )
}

function Bar({ label, used, limit, words }: Required<MeterProps>) {
  const share = limit > 0 ? Math.min(1, used / limit) : 0
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native meter can't be styled like ours
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      aria-valuetext={words}
      className="h-1.5 overflow-hidden rounded-full bg-line"
    >
      <div
        className={`h-full rounded-full ${share >= 0.9 ? 'bg-warn' : 'bg-ink'}`}
        style={{ width: `${Math.max(share * 100, used > 0 ? 2 : 0)}%` }}
      />
    </div>
  )
}
