/** The API key of servers that live for one measurement and listen on this machine only. */
export const LOCAL_KEY = 'benchbenchbenchbenchbenchbench00';
export const LOCAL_EMAIL = 'owner@bench.example.com';
