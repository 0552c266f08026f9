-- The isolation `profile`: a workspace reads only its own memories of the profile.
ALTER TABLE profiles DROP CONSTRAINT profiles_isolation_check;
ALTER TABLE profiles ADD CONSTRAINT profiles_isolation_check
    CHECK (isolation IN ('tree', 'team', 'isolated', 'profile'));
