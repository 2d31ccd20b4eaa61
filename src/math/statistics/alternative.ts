/** What a test is against: x differs from y, x tends to be greater, or x tends to be less. */
export type Alternative = 'two-sided' | 'greater' | 'less'
