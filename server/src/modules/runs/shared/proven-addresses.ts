/** An account may have been made with anybody's address, and what a workflow says is its author's. */
export const provenAddresses = (people: readonly { email: string; emailProvenAt: Date | null }[]): string[] =>
  people.flatMap(({ email, emailProvenAt }) => (emailProvenAt === null ? [] : email))
