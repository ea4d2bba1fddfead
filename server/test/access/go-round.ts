/** One reader or gate serves all routes: each route is tried with some of the samples, and the next route with the next ones. */
export const goRound = <Sample>(samples: readonly Sample[], index: number, count: number): Sample[] =>
  Array.from({ length: count }, (_, each) => samples[(index * count + each) % samples.length] as Sample)
